// Generators and facet rows of cells, as doubles with errors and as integers, for whoever asks for shapes.
#pragma once

#include "facets.hpp"
#include "patterns.hpp"
#include "sink.hpp"

namespace exactgeo {

// Rows: first facet rows, each with its members among the rays. Rays and lines have ``width`` coordinates.
struct Shapes {
    int width = 0;
    std::vector<std::int64_t> first_row{0}, first_ray{0}, first_line{0}, first_member{0};
    std::vector<double> rows, row_size, row_error, rays, ray_error;
    std::vector<Origin> origins;  // classes are named by their lowest candidates among all; the row at infinity: -1, -1
    std::vector<std::int32_t> members;
    std::vector<std::uint8_t> at_infinity;  // of each ray
    IntVector exact_rays, exact_lines;      // the rays only if asked for
    // Of all cells, in coordinates: generators (of a ray at infinity the direction) with errors, and inner points, as
    // homogeneous integers where doubles would not do.
    std::vector<double> vertices, vertex_error, points;
    std::vector<CellNumber> exact_point_cells;
    IntVector exact_points;

    [[nodiscard]] std::size_t cells() const { return first_row.size() - 1; }
};

template <int D>
class Shaping final : public Sink<D> {
public:
    // Of those cells whose numbers are listed, in ascending order; or of all, then with vertices and points.
    Shaping(const Layout& layout, const std::vector<CellNumber>* some, bool exact, int point_bits, Shapes& out)
        : layout_(layout), some_(some), exact_(exact), point_bits_(point_bits), out_(out) {
        out_.width = D;
    }

    void cell(typename Sink<D>::Place at, const Part& part) override {
        const CellNumber number = number_++;
        if (some_ != nullptr) {
            if (next_ == some_->size() || (*some_)[next_] != number) return;
            ++next_;
        }
        const auto tight = [&](int i, int slot) {
            return (at.cones.tight(at.cones.member(part, i))[slot >> 6] >> (slot& 63) & 1) != 0;
        };
        for (const int slot : facets_.of(at.cones, part)) {
            const int ref = at.cones.slots(part)[slot];
            const Row<D>& row = at.vectors.row(Vectors<D>::index(ref));
            for (int c = 0; c < D; ++c) out_.rows.push_back(ref < 0 ? -row.v[c] : row.v[c]);
            out_.row_size.push_back(row.n1);
            out_.row_error.push_back(row.er);
            Origin origin = row.origin;
            if (ref < 0) std::swap(origin.winner, origin.loser);
            if (origin.level >= 0) {
                const int first = at.levels.stage(origin.level).first[static_cast<std::size_t>(origin.selector)];
                const int offset = layout_.first_candidate[static_cast<std::size_t>(origin.level)];
                const auto& low = at.levels[origin.level].low;
                origin.winner = offset + low[static_cast<std::size_t>(first + origin.winner)];
                origin.loser = offset + low[static_cast<std::size_t>(first + origin.loser)];
            }
            out_.origins.push_back(origin);
            for (int i = 0; i < part.count; ++i)
                if (tight(i, slot)) out_.members.push_back(i);
            out_.first_member.push_back(static_cast<std::int64_t>(out_.members.size()));
        }
        for (int i = 0; i < part.count; ++i) {
            const int k = at.cones.ray(at.cones.member(part, i));
            const Ray<D>& ray = at.vectors.ray(k);
            out_.rays.insert(out_.rays.end(), ray.x, ray.x + D);
            out_.ray_error.push_back(ray.e);
            out_.at_infinity.push_back(infinite(at, part, i) ? 1 : 0);
            if (exact_) append(out_.exact_rays, at.vectors.exact_ray(k));
            if (some_ == nullptr) add_vertex(ray);
        }
        if (some_ == nullptr) add_point(at, part, number);
        for (int i = 0; i < part.line_count; ++i)
            append(out_.exact_lines, at.vectors.exact_ray(at.cones.line(part, i)));
        out_.first_row.push_back(static_cast<std::int64_t>(out_.origins.size()));
        out_.first_ray.push_back(static_cast<std::int64_t>(out_.ray_error.size()));
        out_.first_line.push_back(static_cast<std::int64_t>(out_.exact_lines.size()) / D);
    }

private:
    void add_vertex(const Ray<D>& ray) {
        const bool finite = out_.at_infinity.back() == 0;
        double error = finite ? 0.0 : ray.e;
        for (int c = 1; c < D; ++c) {
            const double q = (finite ? ray.x[c] / ray.x[0] : ray.x[c]) + 0.0;  // no -0
            out_.vertices.push_back(q);
            if (finite) error = std::max(error, quotient_error(q, ray.x[0], ray.e));
        }
        out_.vertex_error.push_back(error);
    }
    // The mean of the vertices and all directions at infinity together; a double point if it is certainly inside.
    void add_point(typename Sink<D>::Place at, const Part& part, CellNumber number) {
        const auto first = static_cast<std::size_t>(out_.first_ray.back());
        double x[D] = {1.0}, most = 1.0;
        int finite = 0;
        for (std::size_t k = first; k < out_.at_infinity.size(); ++k) finite += out_.at_infinity[k] == 0 ? 1 : 0;
        for (std::size_t k = first; k < out_.at_infinity.size(); ++k)
            for (int c = 1; c < D; ++c)
                x[c] += out_.vertices[k * (D - 1) + static_cast<std::size_t>(c - 1)] /
                        (out_.at_infinity[k] == 0 ? finite : 1);
        for (int c = 1; c < D; ++c) {
            if (point_bits_ > 0 && x[c] != 0.0) {
                int exponent = 0;
                const double m = std::frexp(x[c], &exponent);
                x[c] = std::ldexp(std::nearbyint(std::ldexp(m, point_bits_)), exponent - point_bits_);
            }
            most = std::max(most, std::fabs(x[c]));
        }
        const SignBound bound(most, 0.0, D);
        bool inside = !at.levels.fault();
        const auto rows = static_cast<std::size_t>(out_.first_row.back());
        for (std::size_t row = rows; inside && row < out_.origins.size(); ++row) {
            double s = 0.0;
            for (int c = 0; c < D; ++c) s += out_.rows[row * D + static_cast<std::size_t>(c)] * x[c];
            inside = s > bound.at(out_.row_size[row], out_.row_error[row]);
        }
        out_.points.insert(out_.points.end(), x + 1, x + D);
        if (inside) return;
        IntVector sum(D);
        for (int i = 0; i < part.count; ++i) {
            const Int* ray = at.vectors.exact_ray(at.cones.ray(at.cones.member(part, i)));
            for (int c = 0; c < D; ++c) sum[static_cast<std::size_t>(c)].add(ray[c]);
        }
        out_.exact_point_cells.push_back(number);
        append(out_.exact_points, sum.data());
    }
    // The row at infinity is a row like others: whoever is not tight on it is finite.
    bool infinite(typename Sink<D>::Place at, const Part& part, int i) {
        const Word* tight = at.cones.tight(at.cones.member(part, i));
        for (int w = 0; w < at.cones.tight_words(); ++w)
            for (Word bits = tight[w]; bits != 0; bits &= bits - 1) {
                const int ref = at.cones.slots(part)[64 * w + __builtin_ctzll(bits)];
                const Origin& origin = at.vectors.row(Vectors<D>::index(ref)).origin;
                if (origin.level < 0 && origin.selector < 0) return true;
            }
        return false;
    }
    static void append(IntVector& to, const Int* vector) { to.insert(to.end(), vector, vector + D); }

    const Layout& layout_;
    const std::vector<CellNumber>* some_;
    bool exact_;
    int point_bits_;
    Shapes& out_;
    CellNumber number_ = 0;
    std::size_t next_ = 0;
    Facets<D> facets_;
};

}  // namespace exactgeo
