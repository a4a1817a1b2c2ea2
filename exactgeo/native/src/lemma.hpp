// The lemma that the core rests on, and every error bound that is used anywhere.
//
// **Lemma (dot products).** Let |a'_k - a_k| <= alpha_k and |b'_k - b_k| <= beta_k for k = 1..n, n <= 2^20, a', b'
// doubles, and let s' be sum a'_k b'_k computed in floating point, in any order, products fused or not. Let u = 2^-52
// and t = 2^-900.
// (i)   |s' - sum a_k b_k| <= sum (|a'_k| beta_k + alpha_k (|b'_k| + beta_k)) + (n+1) u sum |a'_k b'_k| + t.
// (ii)  If alpha = beta = 0, all a'_k are multiples of a power of two g, all b'_k of h, g h >= t, and sum |a'_k b'_k| <
//       2^53 g h, then s' is exact.
// (iii) A bound as in (i), computed in floats from nonnegative terms and multiplied by 1 + 2^-30, is at least its true
//       value.
// *Proof.* (i) a'b' - ab = a'(b' - b) + (a' - a) b and |b| <= |b'| + beta. Each product passes through at most n
// roundings, so s' = sum a'_k b'_k (1 + theta_k) with |theta_k| <= (1 + u)^n - 1 <= (n+1) u, whatever the rounding
// mode, as u is twice the unit of rounding to nearest; a product that underflows, or is flushed, errs by at most
// 2^-1021, and n of these stay below t. (ii) Every product and every partial sum is a multiple of g h below 2^53 g h: a
// double. (iii) Sums and products of nonnegative floats have a relative error of at most (1 + u)^m - 1 after m
// operations; m <= 2^21 gives less than 2^-30. Overflow gives inf or nan; every test has the form "x > bound", which is
// then false: undecided. QED.
//
// Pairs of doubles (double-double) obey the same lemma with u = 2^-100 in the terms with |a' b'|, see ``Pair``.
//
// Notation: a *row* has coordinates v_k, off by at most ``er`` each, and ``n1`` >= sum |v_k|; a *ray* has coordinates
// x_k, off by at most ``e`` each, and ``mx`` >= max |x_k|. A *grid* is a power of two of which all coordinates of an
// exact vector are multiples; 0 says that the vector is not known to be exact.
#pragma once

#include <cfloat>   // FLT_EVAL_METHOD
#include <cmath>    // fabs
#include <cstdint>  // int8_t
#include <cstring>  // memcpy

namespace exactgeo {

static_assert(FLT_EVAL_METHOD == 0, "doubles are rounded to doubles after every operation");

constexpr double unit = 0x1p-52;
constexpr double tiny = 0x1p-900;
constexpr double slack = 1.0 + 0x1p-30;
constexpr double whole = 0x1p53;

enum class Sign : std::int8_t { negative = -1, zero = 0, positive = 1 };

constexpr Sign sign_from(int x) { return x > 0 ? Sign::positive : x < 0 ? Sign::negative : Sign::zero; }
constexpr Sign operator-(Sign s) { return static_cast<Sign>(-static_cast<int>(s)); }

// What a filter says: a sign, or that it does not know. It is no sign before somebody has asked whether it is certain.
class Guess {
public:
    static constexpr Guess unsure() { return Guess(2); }
    static constexpr Guess of(Sign s) { return Guess(static_cast<std::int8_t>(s)); }
    [[nodiscard]] constexpr bool certain() const { return value_ != 2; }
    [[nodiscard]] constexpr Sign sign() const { return static_cast<Sign>(value_); }

private:
    explicit constexpr Guess(std::int8_t value) : value_(value) {}
    std::int8_t value_;
};

// -- the sign of row . ray: (i) with alpha = er, beta = e, sum |v_k| = n1 and |x_k| <= mx

// The bound is linear in n1 and er: n1 * per_size + er * per_error + tiny, with the slack of (iii) in the factors.
struct SignBound {
    double per_size;
    double per_error;

    SignBound(double mx, double e, int width)
        : per_size((e + (width + 2) * unit * mx) * slack), per_error(width * (mx + e) * slack) {}
    [[nodiscard]] double at(double n1, double er) const { return n1 * per_size + er * per_error + 2 * tiny; }
};

// (ii): with a row and a ray on grids the computed product is exact, zero included.
inline bool exact_on_grids(double n1, double row_grid, double mx, double ray_grid) {
    const double grid = row_grid * ray_grid;
    return grid >= tiny && n1 * mx * slack < whole * grid;
}

inline Guess sign_beyond(double s, double bound) {
    if (s > bound) return Guess::of(Sign::positive);
    if (-s > bound) return Guess::of(Sign::negative);
    return Guess::unsure();
}

// The larger one of two bounds, where std::max would drop what is no number: that is no bound, hence infinity.
inline double larger_bound(double a, double b) { return b <= a ? a : b < HUGE_VAL ? b : HUGE_VAL; }

// s_a > s_b where both are off by at most b_a and b_b: the difference has one rounding, which the slack covers.
inline bool exceeds(double s_a, double b_a, double s_b, double b_b) { return s_a - s_b > (b_a + b_b) * slack; }

// What is below this is below a score that is off by no more than b, and itself off by no more than b: one rounding.
inline double least_near(double score, double b) { return score - (2 * b + 4 * unit * std::fabs(score)) * slack; }

// -- composition: row i = sum over terms of weight_iu r_u, of at most ``terms`` of them

// What term u adds to the error of row i is |weight_iu| times this. A weight that is no double is off by at most
// unit * |weight|, and its rounding is among the 4. ``most`` >= max |r_u|.
inline double term_error(double er, double most, int terms) { return (er + (terms + 4) * unit * (most + er)) * slack; }
// Weights below 2^-400 of the largest in their row count as zero: each adds at most this to the row's error.
constexpr double cut_off = 0x1p-400;
inline double cut_error(int cut, double weight_most, double terms_most) {
    return cut == 0 ? 0.0 : cut * cut_off * weight_most * terms_most * slack;
}
// A difference of two rows, or a multiple of one by a power of two, is a sum of two terms with weights +1 and -1.
inline double difference_error(double er_a, double er_b, double most) {
    return (er_a + er_b + 2 * unit * most) * slack;
}
// What a coordinate a - b of a difference is off by at most, ``er`` being the sum of the rows' errors.
inline double coordinate_bound(double er, double a, double b) {
    return (er + 2 * unit * (std::fabs(a) + std::fabs(b))) * slack + tiny;
}
inline double mean_error(double er_sum, double most_sum, int members) {
    return (er_sum + (members + 2) * unit * (most_sum + er_sum)) / members * slack;
}

// -- combinations: c = sum of l_i row_i with doubles l_i >= 0 taken as exact, and the largest value of c on a box
// ----------

// |x_k| <= most on the box, ``size`` >= sum l_i n1_i, ``error`` >= sum l_i er_i. By (i) coordinate k of c is off by at
// most error + (terms + 1) unit sum_i l_i |v_ik| + tiny; and its value at a corner by most times the sum of these over
// k, and by (width + 1) unit most sum_k |c_k| + tiny, where sum_k |c_k| <= size (1 + (terms + 1) unit). The largest of
// the products c_k lo_k, c_k hi_k is off by no more than either.
inline double combination_bound(double size, double error, int terms, int width, double most) {
    return (width * (error + tiny) + (terms + width + 4) * unit * size) * most * slack + 2 * tiny;
}
// Integers rounded as in ``round_to_doubles``: coordinates in [-1, 1], each off by at most this.
constexpr double rounded_integers = unit;

// A sum of ``terms`` products with factors in [1, 2) taken as exact: the others have absolute values of at most
// ``size`` together and errors of at most ``error`` together.
inline double functional_error(double error, double size, int terms) {
    return 2.0 * (error + (terms + 1) * unit * size) * slack + tiny;
}
// Ends of the interval of v + x, |x| <= e: rounding the sum costs at most unit (|v| + e).
inline double upper_end(double v, double e) { return v + (e + 2 * unit * (std::fabs(v) + e)) * slack; }
inline double lower_end(double v, double e) { return -upper_end(-v, e); }
// The quotient x / x_0 of two coordinates off by at most e each, q as computed: x/x_0 - x'/x'_0 is
// ((x - x') x'_0 - x' (x_0 - x'_0)) / (x_0 x'_0), at most (e + |x'/x'_0| e) / (x'_0 - e). No number where x'_0 <= e.
inline double quotient_error(double q, double x_0, double e) {
    if (!(x_0 > e)) return HUGE_VAL;
    return ((1.0 + std::fabs(q) * slack) * e / (x_0 - e) + 2 * unit * std::fabs(q)) * slack * slack + tiny;
}
// -- quotients
// -------------------------------------------------------------------------------------------------------------------

// x / y for y' > e_y >= |y' - y|: x'/y' - x/y = ((x' - x) + (x'/y') (y - y')) / y, and one rounding; some more units,
// so that the sum of quotient and error needs no care. Infinite where y may be zero.
inline double quotient_error(double x, double e_x, double y, double e_y) {
    if (!(y * (1.0 - 4 * unit) > e_y)) return HUGE_VAL;
    const double q = std::fabs(x / y) * slack;
    return ((e_x + q * e_y) / (y * (1.0 - 4 * unit) - e_y) + 8 * unit * q) * slack + tiny;
}

// -- minors: k-minors from (k-1)-minors by expansion along one row, a sum of k products

// ``e``: error of the (k-1)-minors, ``most`` >= their absolute values; the row has n1 and er.
inline double minor_error(double e, double most, double n1, double er, int k) {
    return (n1 * e + k * er * (most + e) + (k + 2) * unit * n1 * most) * slack + tiny;
}

// -- the crossing s_i x_j - s_j x_i of the edge between two rays, s > 0 > s' the values of a row there
// ------------------

// Each coordinate is a sum of two products; the s are off by b_i, b_j, the x by e_i, e_j.
inline double crossing_error(double s_i, double b_i, double mx_j, double e_j, double s_j, double b_j, double mx_i,
                             double e_i) {
    const double first = std::fabs(s_i) * e_j + b_i * (mx_j + e_j);
    const double second = std::fabs(s_j) * e_i + b_j * (mx_i + e_i);
    return (first + second + 4 * unit * (std::fabs(s_i) * mx_j + std::fabs(s_j) * mx_i)) * slack + tiny;
}

// A vector of minors is usable if its largest entry exceeds its error by this factor; else its rows were badly chosen.
constexpr double usable = 0x1p10;
// If the error of a form exceeds this share of its size, all of its level are made again in pairs of doubles. These two
// are chosen by time alone: with a ray and a row that are as bad, one sign in a million is undecided.
constexpr double refined_above = 0x1p-20;

// The largest power of two up to x, for normal doubles x > 0.
inline double power_below(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    bits &= std::uint64_t{0x7ff} << 52;
    std::memcpy(&x, &bits, sizeof bits);
    return x;
}

// -- pairs of doubles -------------------------------------------------------------------------------------------------

// hi + lo, |lo| <= unit |hi|. Sums by the quick addition: TwoSum of the high parts, then the low ones; products by
// splitting (Dekker). A sum of n products has an error of at most (n+1) 2^-100 sum |a b|: TwoSum and TwoProduct are
// exact; what is rounded are low parts, at most 2^-51 of the high ones and three roundings of 2^-53 of them for each
// operation, less than 2^-101 |a b| for each product and 2^-101 of the partial sum for each addition, which is
// absolute: cancellation does not enlarge it. (Where a partial sum is small, so are its roundings.)
struct Pair {
    double hi = 0.0;
    double lo = 0.0;
};
constexpr double pair_unit = 0x1p-100;

inline Pair two_sum(double a, double b) {
    const double s = a + b;
    const double bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}
inline Pair two_product(double a, double b) {
    constexpr double splitter = 134217729.0;  // 2^27 + 1
    const double p = a * b;
    const double ca = splitter * a, cb = splitter * b;
    const double ah = ca - (ca - a), bh = cb - (cb - b);
    const double al = a - ah, bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
inline void add_product(Pair& sum, Pair a, Pair b) {
    Pair p = two_product(a.hi, b.hi);
    p.lo += a.hi * b.lo + a.lo * b.hi;
    Pair s = two_sum(sum.hi, p.hi);
    s.lo += sum.lo + p.lo;
    sum.hi = s.hi + s.lo;
    sum.lo = (s.hi - sum.hi) + s.lo;
}
inline double pair_term_error(double er, double most, int terms) {
    return (er + (terms + 4) * pair_unit * (most + er)) * slack;
}
// Rounding a pair to its high part.
inline double rounded_pair_error(double er, double most) { return (er + unit * most) * slack; }

}  // namespace exactgeo
