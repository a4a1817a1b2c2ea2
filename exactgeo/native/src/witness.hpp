// A point of a cell with few digits, because every digit is written, stored and checked.
//
// In a bounded cell, the mean of the vertices rounded to multiples of 1/q for powers q of two, until the rounded point
// is strictly inside. In an unbounded one the entries of its directions are what may be large: there the rays, scaled
// to one size, are added up, and the sum is rounded as a homogeneous point to 1, 2, 3, ... binary digits. Rounding only
// proposes. Rows that are tight on some ray, all facets among them, decide: a positive value beyond its error, or an
// exact one. If no proposal is inside, the answer is the sum of the exact rays, which always is.
#pragma once

#include <algorithm>
#include <vector>

#include "sink.hpp"

namespace exactgeo {

template <int D>
class Witness {
public:
    using Place = typename Sink<D>::Place;

    // Finds a homogeneous point strictly inside.
    void find(Place at, const Part& part) {
        rows_.clear();
        bool bounded = part.line_count == 0;
        const int* slots = at.cones.slots(part);
        const auto& used = at.cones.used(part);
        for (int k = 0; k < at.cones.slot_count(); ++k) {
            if ((used[static_cast<std::size_t>(k >> 6)] >> (k & 63) & 1) == 0) continue;
            const Origin& origin = at.vectors.row(Vectors<D>::index(slots[k])).origin;
            if (origin.level < 0 && origin.selector < 0)
                bounded = false;  // the row at infinity is tight somewhere
            else
                rows_.push_back(slots[k]);
        }
        if (!(bounded ? multiple(at, part) : direction(at, part))) add_up(at, part);
    }
    [[nodiscard]] const IntVector& point() const { return point_; }

private:
    static constexpr int finest = 62;       // binary digits of the finest grid
    static constexpr double far = 0x1p200;  // what is farther away is not rounded to a grid
    static constexpr int luck = 1;          // the widest mesh: one step from the cell's width a dimension but so many

    bool multiple(Place at, const Part& part) {
        double mean[D] = {}, lowest[D], highest[D], extent = 0.0;
        std::fill_n(lowest, D, HUGE_VAL);
        std::fill_n(highest, D, -HUGE_VAL);
        for (int i = 0; i < part.count; ++i) {
            const Ray<D>& ray = at.vectors.ray(at.cones.ray(at.cones.member(part, i)));
            for (int c = 1; c < D; ++c) {
                const double x = ray.x[c] / ray.x[0];
                mean[c] += x / part.count;
                lowest[c] = std::min(lowest[c], x);
                highest[c] = std::max(highest[c], x);
            }
        }
        for (int c = 1; c < D; ++c) {
            if (!(std::fabs(mean[c]) < far)) return false;
            extent = std::max(extent, highest[c] - lowest[c]);
        }
        int exponent = 0;
        if (!(extent > 0.0) || !(extent < far)) return false;
        std::frexp(extent, &exponent);
        for (int power = std::max(D - 1 - luck - exponent, 0); power <= finest; ++power) {
            double x[D];
            x[0] = 1.0;
            for (int c = 1; c < D; ++c) x[c] = std::ldexp(std::floor(std::ldexp(mean[c], power) + 0.5), -power);
            if (!inside(at, x)) continue;
            set(x, power);
            return true;
        }
        return false;
    }

    bool direction(Place at, const Part& part) {
        double total[D] = {}, most = 0.0;
        for (int i = 0; i < part.count; ++i) {
            const Ray<D>& ray = at.vectors.ray(at.cones.ray(at.cones.member(part, i)));
            for (int c = 0; c < D; ++c) total[c] += ray.x[c] / ray.mx;
        }
        for (const double x : total) most = std::max(most, std::fabs(x));
        if (!(most > 0.0) || !(most < HUGE_VAL)) return false;
        int exponent = 0;
        std::frexp(most, &exponent);
        for (int digits = 1; digits <= finest; ++digits) {
            double x[D];
            for (int c = 0; c < D; ++c)
                x[c] = std::ldexp(std::floor(std::ldexp(total[c], digits - exponent) + 0.5), -digits);
            if (!(x[0] > 0.0) || !inside(at, x)) continue;
            set(x, digits);
            return true;
        }
        return false;
    }

    void add_up(Place at, const Part& part) {
        point_.assign(D, Int());
        for (int i = 0; i < part.count; ++i) {
            const Int* x = at.vectors.exact_ray(at.cones.ray(at.cones.member(part, i)));
            for (std::size_t c = 0; c < D; ++c) point_[c].add(x[c]);
        }
        make_primitive(point_.data(), D, value_);
    }

    // Whether all rows are positive at a point of exact doubles.
    bool inside(Place at, const double* x) {
        double mx = 0.0;
        for (int c = 0; c < D; ++c) mx = std::max(mx, std::fabs(x[c]));
        const SignBound bound(mx, 0.0, D);
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            const int ref = rows_[k];
            const Row<D>& row = at.vectors.row(Vectors<D>::index(ref));
            double value = 0.0;
            for (int c = 0; c < D; ++c) value += row.v[c] * x[c];
            if (ref < 0) value = -value;
            const double error = bound.at(row.n1, row.er);
            if (value > error && !at.levels.fault()) continue;
            if (!(-value > error) && exactly(at, ref, x)) continue;
            std::swap(rows_[0], rows_[k]);  // a row that is missed once is often missed again
            return false;
        }
        return true;
    }
    bool exactly(Place at, int ref, const double* x) {
        ++at.levels.tally.exact;
        set(x, finest);
        dot(at.vectors.exact_row(ref), point_.data(), D, value_);
        return ref < 0 ? value_.sign() < 0 : value_.sign() > 0;
    }
    // x times 2^power, which are integers, as a primitive vector.
    void set(const double* x, int power) {
        point_.resize(D);
        for (std::size_t c = 0; c < D; ++c) point_[c].set_scaled(x[c], power);
        make_primitive(point_.data(), D, value_);
    }

    std::vector<int> rows_;
    IntVector point_;
    Int value_;
};

}  // namespace exactgeo
