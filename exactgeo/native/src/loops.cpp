#include "loops.hpp"

#include <cmath>
#include <cstring>  // memcpy

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define EXACTGEO_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EXACTGEO_CLONES
#endif

namespace exactgeo {

EXACTGEO_CLONES
void accumulate(double* sums, const double* weight, const double* value, double e, double size, int width, int pad) {
    for (int c = 0; c < width; ++c) {
        const double v = value[c];
        double* column = sums + static_cast<std::ptrdiff_t>(c) * pad;
        for (int i = 0; i < pad; ++i) column[i] += weight[i] * v;
    }
    double* error = sums + static_cast<std::ptrdiff_t>(width) * pad;
    double* most = error + pad;
    for (int i = 0; i < pad; ++i) error[i] += std::fabs(weight[i]) * e;
    for (int i = 0; i < pad; ++i) most[i] += std::fabs(weight[i]) * size;
}

EXACTGEO_CLONES
void accumulate_pairs(double* sums_high, double* sums_low, double* errors, const double* high, const double* low,
                      const Pair* value, double e, int width, int pad) {
    for (int c = 0; c < width; ++c) {
        const Pair v = value[c];
        double* h = sums_high + static_cast<std::ptrdiff_t>(c) * pad;
        double* l = sums_low + static_cast<std::ptrdiff_t>(c) * pad;
        for (int i = 0; i < pad; ++i) {
            Pair sum{h[i], l[i]};
            add_product(sum, {high[i], low == nullptr ? 0.0 : low[i]}, v);
            h[i] = sum.hi;
            l[i] = sum.lo;
        }
    }
    for (int i = 0; i < pad; ++i) errors[i] += std::fabs(high[i]) * e;
}

EXACTGEO_CLONES
double measure(const double* form, int pad, int width, double* n1, double* most) {
    for (int i = 0; i < pad; ++i) n1[i] = most[i] = std::fabs(form[i]);
    for (int c = 1; c < width; ++c) {
        const double* column = form + static_cast<std::ptrdiff_t>(c) * pad;
        for (int i = 0; i < pad; ++i) {
            const double x = std::fabs(column[i]);
            n1[i] += x;
            most[i] = x > most[i] ? x : most[i];
        }
    }
    double most_of[8] = {};
    for (int i = 0; i < pad; i += 8)
        for (int k = 0; k < 8; ++k) {
            n1[i + k] *= slack;
            most_of[k] = most[i + k] > most_of[k] ? most[i + k] : most_of[k];
        }
    for (const double m : most_of) most_of[0] = m > most_of[0] ? m : most_of[0];
    return most_of[0];
}

namespace {

template <bool Run>
inline __attribute__((always_inline)) void differences_of(const Scores& of, const Gaps& gaps) {
    constexpr int block = 64;
    for (int from = 0; from < of.count; from += block) {
        double errors[block], sizes[block], largest[block];
        std::uint64_t far[block], bits = 0;
        const int count = of.count - from < block ? of.count - from : block;
        const int* a = of.second + from;
        const int* b = of.first + from;
        const auto second = [=](int i) { return Run ? a[0] + i : a[i]; };
        const auto first = [=](int i) { return Run ? b[0] : b[i]; };
        for (int i = 0; i < count; ++i) {
            errors[i] = of.er[second(i)] + of.er[first(i)];
            sizes[i] = largest[i] = 0.0;
            far[i] = 0;
        }
        for (int c = 0; c < of.width; ++c) {
            const double* column = of.form + static_cast<std::ptrdiff_t>(c) * of.pad;
            double* out = gaps.v + static_cast<std::ptrdiff_t>(c) * gaps.pad + from;
            for (int i = 0; i < count; ++i) {
                const double one = column[second(i)], two = column[first(i)], v = one - two, x = std::fabs(v);
                out[i] = v;
                sizes[i] += x;
                largest[i] = x > largest[i] ? x : largest[i];
                far[i] |= static_cast<std::uint64_t>(x > coordinate_bound(errors[i], one, two));
            }
        }
        for (int i = 0; i < count; ++i) {
            const double er_a = of.er[second(i)], er_b = of.er[first(i)];
            const double most_a = of.most[second(i)], most_b = of.most[first(i)];
            // A difference with an exact zero is no operation.
            const bool copied = (most_b == 0.0 && er_b == 0.0) || (most_a == 0.0 && er_a == 0.0);
            const double er = copied ? errors[i] : difference_error(er_a, er_b, largest[i]);
            gaps.er[from + i] = most_a + most_b < whole * of.grid ? 0.0 : er;
            gaps.n1[from + i] = sizes[i] * slack;
        }
        for (int i = 0; i < count; ++i) bits |= far[i] << i;
        gaps.apart[from / block] = bits;
    }
}

// Eight numbers side by side, in as few registers as the machine has for them.
using Eight = double __attribute__((vector_size(64)));
using EightBits = std::int64_t __attribute__((vector_size(64)));
constexpr EightBits one_each = {1, 2, 4, 8, 16, 32, 64, 128};

inline __attribute__((always_inline)) void load(Eight& v, const double* from) { std::memcpy(&v, from, sizeof v); }
inline __attribute__((always_inline)) std::uint64_t joined(const EightBits& v) {
    std::int64_t bits = 0;
    for (int k = 0; k < 8; ++k) bits |= v[k];
    return static_cast<std::uint64_t>(bits);
}

// sum_c x[c] form[c][i .. i + 7]. With a width that the compiler knows everything stays in registers.
template <int D>
inline __attribute__((always_inline)) void dot_at(Eight& sum, const double* form, int pad, int width, const double* x,
                                                  int i) {
    Eight column;
    load(column, form + i);
    sum = x[0] * column;
    for (int c = 1; c < (D == 0 ? width : D); ++c) {
        load(column, form + static_cast<std::ptrdiff_t>(c) * pad + i);
        sum += x[c] * column;
    }
}

template <int D>
inline __attribute__((always_inline)) void signs_in(const double* form, const double* n1, const double* er, int count,
                                                    int pad, int width, const double* x, Bound bound,
                                                    std::uint64_t& positive, std::uint64_t& negative) {
    EightBits p = {}, n = {}, bits = one_each;
    for (int i = 0; i < count; i += 8) {
        Eight s, size, error;
        dot_at<D>(s, form, pad, width, x, i);
        load(size, n1 + i);
        load(error, er + i);
        const Eight b = size * bound.per_size + error * bound.per_error + bound.least;
        p |= (s > b) & bits;
        n |= (-s > b) & bits;
        bits <<= 8;
    }
    positive = joined(p);
    negative = joined(n);
}

template <int D>
inline __attribute__((always_inline)) double evaluate_in(const double* form, int pad, int width, const double* x,
                                                         double* s, double* peaks) {
    double best = -HUGE_VAL;
    for (int from = 0; from < pad; from += 64, peaks += 8) {
        Eight most = Eight{} - HUGE_VAL;
        for (int i = from; i < from + 64 && i < pad; i += 8) {
            Eight sum;
            dot_at<D>(sum, form, pad, width, x, i);
            std::memcpy(s + i, &sum, sizeof sum);
            most = sum > most ? sum : most;
        }
        std::memcpy(peaks, &most, sizeof most);
        for (int k = 0; k < 8; ++k) best = most[k] > best ? most[k] : best;
    }
    return best;
}

}  // namespace

EXACTGEO_CLONES
void differences(const Scores& scores, const Gaps& gaps) {
    if (scores.run)
        differences_of<true>(scores, gaps);
    else
        differences_of<false>(scores, gaps);
}

EXACTGEO_CLONES
void signs_at(const double* form, const double* n1, const double* er, int count, int pad, int width, const double* x,
              Bound bound, std::uint64_t& positive, std::uint64_t& negative) {
    switch (width) {
        case 3:
            return signs_in<3>(form, n1, er, count, pad, width, x, bound, positive, negative);
        case 4:
            return signs_in<4>(form, n1, er, count, pad, width, x, bound, positive, negative);
        default:
            return signs_in<0>(form, n1, er, count, pad, width, x, bound, positive, negative);
    }
}

EXACTGEO_CLONES
double evaluate(const double* form, int pad, int width, const double* x, double* s, double* peaks) {
    switch (width) {
        case 3:
            return evaluate_in<3>(form, pad, width, x, s, peaks);
        case 4:
            return evaluate_in<4>(form, pad, width, x, s, peaks);
        default:
            return evaluate_in<0>(form, pad, width, x, s, peaks);
    }
}

EXACTGEO_CLONES
int find_above(const double* s, const double* peaks, int count, double least, int* found) {
    int size = 0;
    for (int from = 0; from < count; from += 64, peaks += 8) {
        Eight v;
        load(v, peaks);
        if (joined(v >= least) == 0) continue;
        EightBits above = {}, bits = one_each;
        for (int i = from; i < from + 64 && i < count; i += 8, bits <<= 8) {
            load(v, s + i);
            above |= (v >= least) & bits;
        }
        for (std::uint64_t near = joined(above); near != 0; near &= near - 1) {
            const int i = from + __builtin_ctzll(near);
            if (i < count) found[size++] = i;
        }
    }
    return size;
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
