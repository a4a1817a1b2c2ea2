#include "loops.hpp"

#include <cmath>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define EXACTGEO_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define EXACTGEO_CLONES
#endif

namespace exactgeo {

EXACTGEO_CLONES
void accumulate(double* sums, const double* weight, const double* value, double e, int width, int pad) {
    for (int c = 0; c < width; ++c) {
        const double v = value[c];
        double* column = sums + static_cast<std::ptrdiff_t>(c) * pad;
        for (int i = 0; i < pad; ++i) column[i] += weight[i] * v;
    }
    double* error = sums + static_cast<std::ptrdiff_t>(width) * pad;
    for (int i = 0; i < pad; ++i) error[i] += std::fabs(weight[i]) * e;
}

EXACTGEO_CLONES
void accumulate_size(double* most, const double* weight, double size, int pad) {
    for (int i = 0; i < pad; ++i) most[i] += std::fabs(weight[i]) * size;
}

EXACTGEO_CLONES
void evaluate(const double* form, const double* n1, const double* er, int pad, int width, const double* x,
              double per_size, double per_error, double least, double* s, double* bound) {
    for (int i = 0; i < pad; ++i) s[i] = x[0] * form[i];
    for (int c = 1; c < width; ++c) {
        const double* column = form + static_cast<std::ptrdiff_t>(c) * pad;
        for (int i = 0; i < pad; ++i) s[i] += x[c] * column[i];
    }
    for (int i = 0; i < pad; ++i) bound[i] = n1[i] * per_size + er[i] * per_error + least;
}

EXACTGEO_CLONES
void compare(const double* s, const double* bound, std::uint64_t& positive, std::uint64_t& negative) {
    std::uint64_t p = 0, n = 0;
    for (int i = 0; i < 64; ++i) {
        p |= static_cast<std::uint64_t>(s[i] > bound[i]) << i;
        n |= static_cast<std::uint64_t>(-s[i] > bound[i]) << i;
    }
    positive = p;
    negative = n;
}

EXACTGEO_CLONES
void eliminate(double* rows, int count, int stride, int pivot, int column) {
    const double* by = rows + static_cast<std::ptrdiff_t>(pivot) * stride;
    for (int i = 0; i < count; ++i) {
        if (i == pivot) continue;
        double* row = rows + static_cast<std::ptrdiff_t>(i) * stride;
        const double f = row[column];
        row[column] = 0.0;
        for (int k = 0; k < stride; ++k) row[k] += f * by[k];
    }
}

}  // namespace exactgeo
