// The loops over independent entries that take most of the time; every instruction set gives the same bits.
#pragma once

#include <cstdint>

#include "lemma.hpp"

namespace exactgeo {

// sums[c][i] += weight[i] value[c] for c < width; behind these columns of ``pad`` entries two more, which add up
// |weight[i]| e and |weight[i]| size.
void accumulate(double* sums, const double* weight, const double* value, double e, double size, int width, int pad);

// The same in pairs of doubles, with one column of errors: high and low parts in columns, ``low`` may be null.
void accumulate_pairs(double* sums_high, double* sums_low, double* errors, const double* high, const double* low,
                      const Pair* value, double e, int width, int pad);

// Of forms in columns the sums and the maxima of absolute values: n1, most. Returns the largest of all.
double measure(const double* form, int pad, int width, double* n1, double* most);

// The gaps of selectors with two scores, forms a[g] and b[g], ``count`` of them, a multiple of 64: columns of their
// coordinates, n1 and errors; bits of ``apart`` where a coordinate differs beyond its error. The arrays ``er`` and
// ``most`` and ``grid`` are those of the forms.
void differences(const double* form, int pad, int width, const double* er, const double* most, double grid,
                 const int* a, const int* b, int count, double* gap, double* n1, double* gap_er,
                 std::uint64_t* apart);

// The bound of a sign: n1 * per_size + er * per_error + least.
struct Bound {
    double per_size, per_error, least;
};
// For i < count <= 64 of columns of ``pad`` entries, s = sum_c x[c] form[c][i]: bits of ``positive`` where s is above
// its bound, of ``negative`` where -s is.
void signs_at(const double* form, const double* n1, const double* er, int count, int pad, int width, const double* x,
              Bound bound, std::uint64_t& positive, std::uint64_t& negative);

// s[i] = sum_c x[c] form[c][i] for all entries of the columns; returns the largest.
double evaluate(const double* form, int pad, int width, const double* x, double* s);
// The i < count with s[i] >= best - margin, and what is no number, into ``found``; returns how many.
int near_largest(const double* s, int count, double best, double margin, int* found);

// A pivot on ``count`` rows of ``stride`` entries: every row but the pivot's gets f times the pivot's row, where f is
// its entry in ``column``, which counts as zero before.
void eliminate(double* rows, int count, int stride, int pivot, int column);

}  // namespace exactgeo
