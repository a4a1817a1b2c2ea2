// Rows and rays of one path through the split tree: doubles with errors, and the recipes of their exact values.
//
// A *row* is a difference of two scores of a level, or a row of the domain; its recipe is its origin. A *ray* is the
// vector on which D - 1 rows vanish, up to a positive factor; its recipe are these rows and one that is positive on it.
// Rays are computed from rows, never from other rays, so that errors do not remember history. While a cone has lines
// its rows do not determine its rays: such rays are *given*, by their exact vectors.
//
// Doubles are written once, when a row or a ray is made. An exact value that is found later is kept beside them and
// never written back: doubles are a function of the path alone.
//
// A row is referred to by its number k, its negative by ~k.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "cells.hpp"
#include "inconsistent.hpp"
#include "integers.hpp"
#include "lemma.hpp"
#include "level.hpp"

namespace exactgeo {

template <int D>
struct Row {
    double v[D];
    double n1, er, grid;
    Origin origin;
};

template <int D>
struct Ray {
    double x[D];
    double mx, e, grid;
    int rows[D];   // D - 1 of them vanish here
    int positive;  // a row, or the negative of one, that is positive here
    bool given;
};

// The sets of K of D columns, in the order of their bits: their columns, and where what is left without each of these
// is among the sets of K - 1.
template <int D, int K>
struct ColumnSets {
    static constexpr int choose(int n, int k) { return k == 0 ? 1 : choose(n - 1, k - 1) * n / k; }
    static constexpr int bits(int set) { return set == 0 ? 0 : (set & 1) + bits(set >> 1); }
    static constexpr int count = choose(D, K);

    int column[count][K] = {}, rest[count][K] = {};

    constexpr ColumnSets() {
        for (int set = 0, n = 0; set < 1 << D; ++set) {
            if (bits(set) != K) continue;
            for (int c = 0, i = 0; c < D; ++c)
                if (set >> c & 1) {
                    column[n][i] = c;
                    for (int below = 0; below < (set ^ 1 << c); ++below) rest[n][i] += bits(below) == K - 1;
                    ++i;
                }
            ++n;
        }
    }
};

inline double largest(const double* x, int size) {
    double most = 0.0;
    for (int k = 0; k < size; ++k) most = std::max(most, std::fabs(x[k]));
    return most;
}

// The K-minor in set N of the columns by expansion along the row v; all of them, where the compiler knows all places.
template <int D, int K, std::size_t N>
double minor(const double* v, const double* m) {
    constexpr ColumnSets<D, K> sets;
    double sum = v[sets.column[N][K - 1]] * m[sets.rest[N][K - 1]];
    for (int i = K - 2; i >= 0; --i) {
        const double product = v[sets.column[N][i]] * m[sets.rest[N][i]];
        sum = (K - 1 - i) % 2 == 0 ? sum + product : sum - product;
    }
    return sum;
}
template <int D, int K, std::size_t... N>
void expand(const double* v, const double* m, double* next, std::index_sequence<N...>) {
    ((next[N] = minor<D, K, N>(v, m)), ...);
}

// From the (K-1)-minors m of the rows before row K - 1 on: each K-minor by expansion along that row.
template <int D, int K>
void extend_minors(const Row<D>* const* rows, const double* m, double most, Ray<D>& ray) {
    if constexpr (K == D) {
        // The sets of D - 1 columns begin with the one that has no D - 1.
        for (int c = 0; c < D; ++c) ray.x[c] = c % 2 == 0 ? m[D - 1 - c] : -m[D - 1 - c];
        ray.mx = most;
    } else {
        constexpr ColumnSets<D, K> sets;
        const Row<D>& row = *rows[K - 1];
        const bool exact = exact_on_grids(row.n1, row.grid, most, ray.grid);
        ray.e = exact ? 0.0 : minor_error(ray.e, most, row.n1, row.er, K);
        ray.grid = exact ? row.grid * ray.grid : 0.0;
        double next[sets.count];
        expand<D, K>(row.v, m, next, std::make_index_sequence<sets.count>());
        extend_minors<D, K + 1>(rows, next, largest(next, sets.count), ray);
    }
}

// The vector of the (D-1)-minors of D - 1 rows, with signs: all rows vanish on it. Its error and grid follow the lemma.
template <int D>
void minors(const Row<D>* const* rows, Ray<D>& ray) {
    ray.e = rows[0]->er;
    ray.grid = rows[0]->grid;
    extend_minors<D, 2>(rows, rows[0]->v, D == 2 ? largest(rows[0]->v, D) : rows[0]->n1, ray);
}

template <int D>
class Vectors {
public:
    explicit Vectors(Levels& levels) : levels_(levels), elimination_(D) {}

    [[nodiscard]] const Row<D>& row(int k) const { return rows_[at(k)]; }
    [[nodiscard]] const Ray<D>& ray(int k) const { return rays_[at(k)]; }
    [[nodiscard]] int rows() const { return static_cast<int>(rows_.size()); }
    [[nodiscard]] int rays() const { return static_cast<int>(rays_.size()); }
    // Forgets those that were made last.
    void keep(int rows, int rays) {
        rows_.resize(at(rows));
        rays_.resize(at(rays));
    }

    // Of the pools, integers with one word each.
    [[nodiscard]] std::size_t bytes() const {
        const std::size_t integers = exact_rows_.capacity() + exact_rays_.capacity();
        return rows_.capacity() * sizeof(Row<D>) + rays_.capacity() * sizeof(Ray<D>) +
               integers * (sizeof(IntVector) + D * (sizeof(Int) + 8));
    }

    // Row ``index`` of the domain, which is not zero; -1 is the one at infinity, x_0 >= 0.
    int add_domain_row(int index) {
        const int k = new_row();
        IntVector& exact = exact_rows_[at(k)];
        exact.resize(D);
        for (int c = 0; c < D; ++c)
            exact[at(c)] = index < 0 ? Int(c == 0 ? 1 : 0) : levels_.network().rows[at(index)][at(c)];
        make_primitive(exact.data(), D, factor_);
        row_made_[at(k)] = 1;
        Row<D>& row = rows_[at(k)];
        const std::int64_t exponent = round_to_doubles(exact.data(), D, row.v);
        row.n1 = 0.0;
        for (int c = 0; c < D; ++c) row.n1 += std::fabs(row.v[c]);
        row.n1 *= slack;
        row.grid = exponent <= 53 ? std::ldexp(1.0, static_cast<int>(-exponent)) : 0.0;
        row.er = exponent <= 53 ? 0.0 : unit;
        row.origin = {-1, index, 0, 0};
        return k;
    }

    // The score of one class minus that of another.
    int add_row(int level, int selector, int winner, int loser) {
        const int k = new_row();
        Row<D>& row = rows_[at(k)];
        const auto view = levels_.difference(level, levels_.score_of(level, selector, winner),
                                             levels_.score_of(level, selector, loser), row.v);
        row.n1 = view.n1;
        row.er = view.er;
        row.grid = view.grid;
        row.origin = {level, selector, winner, loser};
        return k;
    }

    // A ray with a given exact vector, which is made primitive.
    int add_given(const Int* vector) {
        const int k = new_ray();
        IntVector& exact = exact_rays_[at(k)];
        exact.assign(vector, vector + D);
        make_primitive(exact.data(), D, factor_);
        ray_made_[at(k)] = 1;
        rays_[at(k)].given = true;
        set_doubles(k);
        return k;
    }

    // The ray on which the row ``cut`` vanishes and all rows of ``common``, among which are D - 2 independent ones.
    // All rows of ``positive`` are positive there.
    int add_crossing(const int* common, int size, int cut, const int* positive, int positives) {
        const int k = new_ray();
        Ray<D>& ray = rays_[at(k)];
        ray.given = false;
        ray.positive = positive[0];
        choose(common, size, cut, ray);
        const Row<D>* chosen[D];
        for (int i = 0; i + 1 < D; ++i) chosen[i] = &rows_[at(ray.rows[i])];
        minors<D>(chosen, ray);
        if (ray.mx > usable * ray.e && ray.mx < HUGE_VAL && !levels_.fault()) {
            const double scale = 1.0 / power_below(ray.mx);
            for (int c = 0; c < D; ++c) ray.x[c] *= scale;
            ray.mx *= scale;
            ray.e *= scale;
            ray.grid *= scale;
            if (!(ray.grid >= 0x1p-400)) ray.grid = 0.0;
            for (int i = 0; i < positives; ++i) {
                const Guess guess = filtered(positive[i], ray);
                if (!guess.certain() || guess.sign() == Sign::zero) continue;
                if (guess.sign() == Sign::negative)
                    for (double& x : ray.x) x = -x;
                ray.positive = positive[i];
                return k;
            }
        }
        // The rows were badly chosen, or lie badly: among all of them, exactly.
        ++levels_.tally.exact_rays;
        elimination_.clear();
        elimination_.add(exact_row(cut));
        ray.rows[0] = index(cut);
        for (int i = 0, rank = 1; rank < D - 1 && i < size; ++i)
            if (elimination_.add(exact_row(common[i]))) ray.rows[rank++] = index(common[i]);
        finish_exact(k);
        set_doubles(k);
        return k;
    }

    Sign sign(int ref, int ray) {
        const Guess guess = filtered(ref, rays_[at(ray)]);
        if (guess.certain() && !levels_.fault()) {
            ++levels_.tally.floats;
            return levels_.told(guess.sign());
        }
        ++levels_.tally.exact;
        dot(exact_row(ref), exact_ray(ray), D, value_);
        const Sign sign = sign_from(value_.sign());
        return ref < 0 ? -sign : sign;
    }

    // The sign of score_a - score_b of a level, by their forms.
    Sign exact_sign(int level, int form_a, int form_b, int ray) {
        ++levels_.tally.exact;
        const Int* x = exact_ray(ray);
        dot(levels_.exact_form(level, form_a), x, D, value_);
        dot(levels_.exact_form(level, form_b), x, D, other_);
        return sign_from(value_.compare(other_));
    }

    // The exact row, of ref or of its negative.
    const Int* exact_row(int ref) {
        const int k = index(ref);
        IntVector& exact = exact_rows_[at(k)];
        if (!row_made_[at(k)]) {
            exact.resize(D);
            const Origin& from = rows_[at(k)].origin;
            levels_.exact_difference(from.level, levels_.score_of(from.level, from.selector, from.winner),
                                     levels_.score_of(from.level, from.selector, from.loser), exact.data());
            row_made_[at(k)] = 1;
        }
        return exact.data();
    }

    const Int* exact_ray(int k) {
        if (!ray_made_[at(k)]) {
            elimination_.clear();
            for (int i = 0; i + 1 < D; ++i) elimination_.add(exact_row(rays_[at(k)].rows[i]));
            finish_exact(k);
        }
        return exact_rays_[at(k)].data();
    }

    static int index(int ref) { return ref < 0 ? ~ref : ref; }

    [[nodiscard]] static Guess filtered(const double* v, double n1, double er, double grid, const Ray<D>& ray) {
        double s = 0.0;
        for (int c = 0; c < D; ++c) s += v[c] * ray.x[c];
        if (exact_on_grids(n1, grid, ray.mx, ray.grid))
            return Guess::of(s > 0.0 ? Sign::positive : s < 0.0 ? Sign::negative : Sign::zero);
        return sign_beyond(s, SignBound(ray.mx, ray.e, D).at(n1, er));
    }

private:
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }

    [[nodiscard]] Guess filtered(int ref, const Ray<D>& ray) const {
        const Row<D>& row = rows_[at(index(ref))];
        const Guess guess = filtered(row.v, row.n1, row.er, row.grid, ray);
        return ref < 0 && guess.certain() ? Guess::of(-guess.sign()) : guess;
    }

    int new_row() {
        const int k = rows();
        rows_.emplace_back();
        if (row_made_.size() <= at(k)) {
            row_made_.resize(at(2 * k + 64));
            exact_rows_.resize(at(2 * k + 64));
        }
        row_made_[at(k)] = 0;
        return k;
    }

    int new_ray() {
        const int k = rays();
        rays_.emplace_back();
        if (ray_made_.size() <= at(k)) {
            ray_made_.resize(at(2 * k + 64));
            exact_rays_.resize(at(2 * k + 64));
        }
        ray_made_[at(k)] = 0;
        return k;
    }

    // Which of the common rows go into the recipe: all, or as many as elimination in floats finds independent.
    void choose(const int* common, int size, int cut, Ray<D>& ray) {
        ray.rows[0] = index(cut);
        if (size == D - 2) {
            for (int i = 0; i < size; ++i) ray.rows[i + 1] = index(common[i]);
            return;
        }
        double basis[D][D];
        int leads[D] = {};
        int rank = 0;
        const auto reduce = [&](int k, double* v) {
            const Row<D>& row = rows_[at(k)];
            for (int c = 0; c < D; ++c) v[c] = row.v[c] / row.n1;
            for (int r = 0; r < rank; ++r) {
                const double factor = v[leads[r]] / basis[r][leads[r]];
                for (int c = 0; c < D; ++c) v[c] -= factor * basis[r][c];
            }
            int lead = 0;
            for (int c = 1; c < D; ++c)
                if (std::fabs(v[c]) > std::fabs(v[lead])) lead = c;
            return lead;
        };
        leads[0] = reduce(ray.rows[0], basis[0]);
        rank = 1;
        for (int i = 0; i < size && rank < D - 1; ++i) {
            const int lead = reduce(index(common[i]), basis[rank]);
            if (!(std::fabs(basis[rank][lead]) > 0x1p-20)) continue;
            leads[rank] = lead;
            ray.rows[rank++] = index(common[i]);
        }
        for (int i = 0; i < size && rank < D - 1; ++i) ray.rows[rank++] = index(common[i]);  // hardly: found out below
        for (; rank < D - 1; ++rank) ray.rows[rank] = ray.rows[0];
    }

    // The kernel of the elimination, which has rank D - 1, with its sign.
    void finish_exact(int k) {
        IntVector& exact = exact_rays_[at(k)];
        exact.resize(D);
        if (elimination_.rank() != D - 1) throw Inconsistent("the rows of a ray do not determine it");
        elimination_.kernel(exact.data());
        const int ref = rays_[at(k)].positive;
        dot(exact_row(ref), exact.data(), D, value_);
        if (value_.sign() == 0) throw Inconsistent("a row that is positive on a ray vanishes there");
        if ((value_.sign() < 0) != (ref < 0))
            for (Int& x : exact) x.negate();
        ray_made_[at(k)] = 1;
    }

    void set_doubles(int k) {
        Ray<D>& ray = rays_[at(k)];
        const std::int64_t exponent = round_to_doubles(exact_rays_[at(k)].data(), D, ray.x);
        ray.mx = 0.0;
        for (int c = 0; c < D; ++c) ray.mx = std::max(ray.mx, std::fabs(ray.x[c]));
        ray.e = exponent <= 53 ? 0.0 : unit;
        ray.grid = exponent <= 53 ? std::ldexp(1.0, static_cast<int>(-exponent)) : 0.0;
    }

    Levels& levels_;
    std::vector<Row<D>> rows_;
    std::vector<Ray<D>> rays_;
    std::vector<IntVector> exact_rows_, exact_rays_;
    std::vector<std::uint8_t> row_made_, ray_made_;
    Elimination elimination_;
    Int factor_, value_, other_;
};

}  // namespace exactgeo
