// What the core assumes of floating point, and a test of it on the machine at hand.
//
// The lemma on dot products speaks of IEEE doubles, each operation rounded to nearest, once. The compiler's part is
// asserted here; flags are set in CMakeLists.txt. The machine's part may change while a process runs: a library built
// with -ffast-math sets the processor to flush small numbers to zero when it is loaded, for everybody.
#pragma once

#include <cfloat>  // FLT_EVAL_METHOD
#include <limits>

namespace exactgeo {

static_assert(std::numeric_limits<double>::is_iec559, "doubles have to be IEEE doubles");
static_assert(FLT_EVAL_METHOD == 0, "double operations have to be rounded to double, not kept in wider registers");
#ifdef __FAST_MATH__
#error "-ffast-math breaks the proofs of rounding errors"
#endif

// What is wrong with this thread's arithmetic, nullptr for nothing.
inline const char* float_fault() {
    // volatile: computed by the machine at run time, not by the compiler.
    const volatile double one = 1.0, ulp = 0x1p-52, tiny = 0x1p-1022, half = 0.5;
    // To nearest, ties to even: 1 + ulp/2 is 1, 1 + 3/4 ulp is 1 + ulp, and the same below zero.
    if (one + half * ulp != 1.0 || one + 0.75 * ulp != 1.0 + 0x1p-52) return "rounding is not to nearest";
    if (-one - half * ulp != -1.0 || -one - 0.75 * ulp != -1.0 - 0x1p-52) return "rounding is not to nearest";
    // Twice half of the smallest normal double: 0 where results are flushed, or operands taken for zero.
    const volatile double subnormal = tiny * half;
    if (subnormal * 2.0 != tiny) return "numbers below 2^-1022 are flushed to zero";
    // (1 + ulp)(1 - ulp) - 1 is -ulp^2; the product alone rounds to 1, so that two operations give 0.
    const double above = one + ulp, below = one - ulp, minus = -one;
    if (above * below + minus != 0.0) return "products and sums are fused";
    return nullptr;
}

}  // namespace exactgeo
