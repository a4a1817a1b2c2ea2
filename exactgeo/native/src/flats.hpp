// The number of cells of a hyperplane arrangement on all of R^d, by deletion and restriction: no vertex is computed.
//
// Object. Forms h_1, ..., h_n, h = b + a_1 x_1 + ... + a_d x_d with integers b, a_1, ..., a_d. The cells are the
// components of R^d without the zeros of those h_i whose normal a is not zero. Forms with the same zeros count once.
//
// Theorem (Zaslavsky 1975; proved in cells/restriction.py). On a flat F of dimension k let f_1, ..., f_m be the forms
// that are not constant on F, one of those that have the same zeros on F. Then
//
//     c(F; f_1, ..., f_m) = 1 + sum_i c(F n {f_i = 0}; f_1, ..., f_{i-1}),     1 + m on a line,
//
// so that each flat the sum comes to adds one, and what is added up at any time is a lower bound.
//
// Notation. A flat of level j is where the j rows of its *chain*, each not constant on the flat before, vanish. It has
// dimension k = d - j, and a form on it k + 1 coordinates, the constant one first. Form f goes down from level j to the
// zeros of form g, which has a pivot p > 0, g_p != 0, by
//
//     f'_c = g_p f_c - f_p g_c     for c != p,
//
// so that f'_c is, up to pivots, the minor of the chain, g and f in the columns of the pivots and c (Sylvester).
// On the zeros of g a form f before g *cuts* if some f'_c with c > 0 is not zero. Otherwise it is constant there; if
// f'_0 is zero, too, f and g have the same zeros, and g is left out: it adds nothing, and later forms do not meet it.
//
// Invariants. Coordinates are kept modulo the prime P = 2^61 - 1, with pivots that are not zero modulo P: then what is
// not zero modulo P is not zero, and different residues of points on a line are different points. What is zero modulo P
// is zero only if either
//   (a) the sums of absolute values of the rows of its minor have a product below P, which bounds the minor, or
//   (b) the minor itself is zero: integers by Bareiss's elimination, f'_c / (the pivot before g's), which are kept for
//       the current flats from when they are first asked for.
// A form that cuts, but only with multiples of P, is *late*: it comes after all others of its flat, and on its zeros
// and all flats within them only integers are used. So nothing but the time rests on chance.
//
// Cost. For n forms in general position C(n, d) points, 8 products modulo P each, and about as much for all flats above
// them; nothing is inverted. Memory: n (k + 1) words a level, and as many integers on a level where (b) is needed.
//
// After T. Zaslavsky, Facing up to arrangements, Memoirs AMS 154, 1975, and E. H. Bareiss, Sylvester's identity and
// multistep integer-preserving Gaussian elimination, Math. Comp. 22, 1968. Forms with the same zeros are not looked for
// on a flat, but noticed one level below, where one vanishes on the other; only the points on a line are hashed.
#pragma once

#include <cstdint>  // uint64_t

#include "integers.hpp"
#include "work.hpp"

namespace exactgeo {

struct FlatsResult {
    Int cells;               // their number; if not complete, a lower bound of it
    std::uint64_t residues;  // forms on flats, and points on lines, that were looked at modulo P
    std::uint64_t exact;     // those looked at as integers: zeros modulo P without (a), and where forms are late
    bool complete;           // nothing was left out because of stop or limit
};

// Rows are n x (d + 1) integers (b, a_1, ..., a_d), n, d >= 0: any rows, zeros, constants and multiples of others too.
// At every flat the count so far is stored in the work. Whether that is stopped, or the count exceeds its limit, is
// looked at for every flat and within it after 64 forms (after each where late forms are): then the rest is left out.
FlatsResult count_flats(const Int* rows, int n, int d, Work& work);

// The same with another prime, for tests: with a small one false zeros are frequent. P is 2, 7, 101 or 2^61 - 1.
template <std::uint64_t P>
FlatsResult count_flats_modulo(const Int* rows, int n, int d, Work& work);

}  // namespace exactgeo
