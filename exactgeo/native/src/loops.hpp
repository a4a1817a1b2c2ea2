// The loops over independent entries that take most of the time; every instruction set gives the same bits.
#pragma once

#include <cstdint>

namespace exactgeo {

// sums[c][i] += weight[i] value[c] for c < width, and error[i] += |weight[i]| e; sums in columns of ``pad`` entries,
// the errors behind them.
void accumulate(double* sums, const double* weight, const double* value, double e, int width, int pad);

// most[i] += |weight[i]| size.
void accumulate_size(double* most, const double* weight, double size, int pad);

// s[i] = sum_c x[c] form[c][i], and bound[i] = n1[i] per_size + er[i] per_error + least.
void evaluate(const double* form, const double* n1, const double* er, int pad, int width, const double* x,
              double per_size, double per_error, double least, double* s, double* bound);

// For each i < 64 of a block: bits of ``positive`` where s > bound, of ``negative`` where -s > bound.
void compare(const double* s, const double* bound, std::uint64_t& positive, std::uint64_t& negative);

// A pivot on ``count`` rows of ``stride`` entries: every row but the pivot's gets f times the pivot's row, where f is
// its entry in ``column``, which counts as zero before.
void eliminate(double* rows, int count, int stride, int pivot, int column);

}  // namespace exactgeo
