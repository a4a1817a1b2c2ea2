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

// The gaps of ``count`` selectors, a multiple of 8, with the scores second[g] and first[g] among forms in columns; in a
// *run* these are second[0] + g and first[0].
struct Scores {
    const double *form, *er, *most;
    double grid;
    int pad, width, count;
    const int *second, *first;
    bool run;
};
// Their coordinates in columns of ``pad`` entries, a multiple of 64, n1 and errors; bits of ``apart`` where a
// coordinate differs beyond its error.
struct Gaps {
    double* v;
    int pad;
    double *n1, *er;
    std::uint64_t* apart;
};
void differences(const Scores& scores, const Gaps& gaps);

// The bound of a sign: n1 * per_size + er * per_error + least.
struct Bound {
    double per_size, per_error, least;
};
// For i < count <= 64 of columns of ``pad`` entries, s = sum_c x[c] form[c][i]: bits of ``positive`` where s is above
// its bound, of ``negative`` where -s is.
void signs_at(const double* form, const double* n1, const double* er, int count, int pad, int width, const double* x,
              Bound bound, std::uint64_t& positive, std::uint64_t& negative);

// s[i] = sum_c x[c] form[c][i] for all entries of the columns; returns the largest. For each 64 entries, counted from
// the first, ``peaks`` gets 8 numbers, the largest of which is the largest of these. All have to be numbers.
double evaluate(const double* form, int pad, int width, const double* x, double* s, double* peaks);
// The i < count with s[i] >= least, into ``found``; returns how many.
int find_above(const double* s, const double* peaks, int count, double least, int* found);

// A pivot on ``count`` rows of ``stride`` entries: every row but the pivot's gets f times the pivot's row, where f is
// its entry in ``column``, which counts as zero before.
void eliminate(double* rows, int count, int stride, int pivot, int column);

}  // namespace exactgeo
