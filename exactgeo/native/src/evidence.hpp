// Evidence that a class cannot win on a part of the tree on generators, from its rays: rows of ``B`` and ``E`` records.
//
// A *claim* is a form f = score_winner - score_loser that is nowhere negative on a part: the loser cannot win there.
// Let v be a vertex where f is least and let d independent rows r_k vanish at v, the *basis*. The rays c_k on which all
// of them but one vanish, and the row at infinity too, are the edges of their cone at v, and
//
//     f = sum of l_k r_k + f(v),  l_k >= 0,  just if f(v) >= 0 and f(c_k) >= 0 for all k:
//
// the signs at these *corners* decide, and all else is proposed by floats. If v is simple on the part, these rows being
// all of its facets there, then the cone is the part's own at v and the signs are as they should be: linear
// programming's optimality. At other vertices, and where there are lines, the form itself says which rows to take: it
// is *peeled* in integers (``exactgeo/certificate/farkas.py`` has the method and why it always ends).
//
// Corners are rays like any others (``vectors.hpp``), known by their rows: their errors do not depend on the part.
#pragma once

#include <algorithm>
#include <vector>

#include "sink.hpp"

namespace exactgeo {

template <int D>
class Evidence {
public:
    using Word = std::uint64_t;
    using Place = typename Sink<D>::Place;

    struct Claim {
        int g, winner, loser;
    };
    // A claim's form in doubles, and a member where it seems to be least.
    struct Form {
        Claim claim;
        double v[D];
        double n1, er, grid;
        int vertex = -1;
        bool sure = false;     // that it is nowhere negative; else floats say so
        bool covered = false;  // by the corners at hand
    };

    Form form(Place at, int s, Claim claim) const {
        Form f;
        f.claim = claim;
        const auto view = at.levels.difference(s, at.levels.score_of(s, claim.g, claim.winner),
                                               at.levels.score_of(s, claim.g, claim.loser), f.v);
        f.n1 = view.n1;
        f.er = view.er;
        f.grid = view.grid;
        return f;
    }

    // Has a look at a part: which members are vertices. Below, forms are propositions about it.
    void look(Place at, const Part& part) {
        const auto& used = at.cones.used(part);
        int infinite = -1;
        for (int k = 0; k < at.cones.slot_count(); ++k)
            if ((used[word(k)] & bit(k)) != 0 && at.cones.slots(part)[k] == infinity) infinite = k;
        heights_.clear();
        for (int i = 0; i < part.count; ++i) {
            Word* member = at.cones.member(part, i);
            const bool far = infinite >= 0 && (at.cones.tight(member)[word(infinite)] & bit(infinite)) != 0;
            heights_.push_back(far ? 0.0 : 1.0 / at.vectors.ray(at.cones.ray(member)).x[0]);
        }
    }
    // Where a form seems to be least; -1 if that cannot be told.
    void propose(Place at, const Part& part, Form& f) const {
        double least = HUGE_VAL;
        for (int i = 0; i < part.count; ++i) {
            if (heights_[size(i)] == 0.0) continue;
            const Ray<D>& ray = at.vectors.ray(at.cones.ray(at.cones.member(part, i)));
            double value = 0.0;
            for (int c = 0; c < D; ++c) value += f.v[c] * ray.x[c];
            value *= heights_[size(i)];
            if (value < least) {
                least = value;
                f.vertex = i;
            }
        }
    }

    // Rows at a member, by their slots, that are all of its facets: false where there are more or fewer than d.
    bool simple_basis(Place at, const Part& part, int vertex) {
        basis_.clear();
        const Word* own = at.cones.tight(at.cones.member(part, vertex));
        int count = 0;
        for (int w = 0; w < at.cones.tight_words(); ++w) {
            count += __builtin_popcountll(own[w]);
            for (Word bits = own[w]; bits != 0; bits &= bits - 1) basis_.push_back(64 * w + __builtin_ctzll(bits));
        }
        if (count == D - 1) return true;
        // A facet is a row whose members are not all of them on another one; of rows with the same members one is kept.
        found_.clear();
        for (const int k : basis_) {
            bool facet = true;
            for (const int other : basis_) {
                if (other == k || !facet) continue;
                bool within = true, equal = true;
                for (int i = 0; i < part.count && within; ++i) {
                    const Word* tight = at.cones.tight(at.cones.member(part, i));
                    const bool here = (tight[word(k)] & bit(k)) != 0, there = (tight[word(other)] & bit(other)) != 0;
                    within = !here || there;
                    equal = equal && here == there;
                }
                if (within && (!equal || other < k)) facet = false;
            }
            if (facet) found_.push_back(k);
        }
        basis_.swap(found_);
        return static_cast<int>(basis_.size()) == D - 1;
    }
    // Rows that support a form, which is nowhere negative on the part, and others at the same vertex until there are d.
    // Returns this vertex.
    int peeled_basis(Place at, const Part& part, int s, const Form& f) {
        peel(at, part, s, f);
        basis_ = support_;
        elimination_.clear();
        elimination_.add(at.vectors.exact_row(infinity));
        for (const int k : support_) elimination_.add(at.vectors.exact_row(at.cones.slots(part)[k]));
        const Word* own = at.cones.tight(at.cones.member(part, peeled_at_));
        for (int k = 0; k < at.cones.slot_count() && static_cast<int>(basis_.size()) < D - 1; ++k)
            if ((own[word(k)] & bit(k)) != 0 && elimination_.add(at.vectors.exact_row(at.cones.slots(part)[k])))
                basis_.push_back(k);
        return peeled_at_;
    }
    // Makes the corners of the basis: edges, then the vertex itself. ``drop_corners`` forgets them.
    void make_corners(Place at, const Part& part, int vertex) {
        rays_before_ = at.vectors.rays();
        corners_.clear();
        const int* slots = at.cones.slots(part);
        int common[D];
        for (std::size_t k = 0; k < basis_.size(); ++k) {
            int count = 0;
            for (std::size_t other = 0; other < basis_.size(); ++other)
                if (other != k) common[count++] = slots[basis_[other]];
            const int positive = slots[basis_[k]];
            corners_.push_back(at.vectors.add_crossing(common, count, infinity, &positive, 1));
        }
        corners_.push_back(at.cones.ray(at.cones.member(part, vertex)));
    }
    void drop_corners(Place at) { at.vectors.keep(at.vectors.rows(), rays_before_); }

    // Whether the form is nowhere negative at the corners; ``support`` are then the rows on which it is positive.
    bool covered(Place at, int s, const Form& f) {
        support_.clear();
        for (std::size_t k = 0; k < corners_.size(); ++k) {
            const Sign sign = sign_at(at, s, f, corners_[k]);
            if (sign == Sign::negative) return false;
            if (sign == Sign::positive && k < basis_.size()) support_.push_back(basis_[k]);
        }
        return true;
    }

    // Rows, by slots, of which the form, nowhere negative on the part, is a positive combination but for a constant.
    const std::vector<int>& support_of(Place at, const Part& part, int s, Form& f) {
        if (part.line_count == 0) {
            propose(at, part, f);
            if (f.vertex >= 0 && simple_basis(at, part, f.vertex)) {
                make_corners(at, part, f.vertex);
                const bool found = covered(at, s, f);
                drop_corners(at);
                if (found) return support_;
            }
        }
        peel(at, part, s, f);
        return support_;
    }

    Sign sign_at(Place at, int s, const Form& f, int ray) {
        const Guess guess = Vectors<D>::filtered(f.v, f.n1, f.er, f.grid, at.vectors.ray(ray));
        if (guess.certain() && !at.levels.fault()) {
            ++at.levels.tally.floats;
            return guess.sign();
        }
        ++at.levels.tally.exact;
        exact_value(at, s, f.claim, ray, value_);
        return sign_from(value_.sign());
    }

    [[nodiscard]] const std::vector<int>& basis() const { return basis_; }
    [[nodiscard]] const std::vector<int>& support() const { return support_; }
    [[nodiscard]] const std::vector<int>& corners() const { return corners_; }

    // The multipliers of rows of which a positive combination is constant, and whose normals have a left kernel of
    // dimension one: exact ones, primitive.
    static void multipliers(const std::vector<IntVector>& rows, IntVector& found) {
        const int count = static_cast<int>(rows.size());
        Elimination left(count);
        IntVector column(size(count));
        for (std::size_t c = 1; c < D; ++c) {
            for (int i = 0; i < count; ++i) column[size(i)] = rows[size(i)][c];
            left.add(column.data());
        }
        found.resize(size(count));
        left.kernel(found.data());
        if (found[0].sign() < 0)
            for (Int& x : found) x.negate();
    }

    static constexpr int infinity = 0;  // the first row that is made: x_0 >= 0

private:
    static std::size_t size(int k) { return static_cast<std::size_t>(k); }
    static std::size_t word(int slot) { return static_cast<std::size_t>(slot >> 6); }
    static Word bit(int slot) { return Word{1} << (slot & 63); }

    void exact_value(Place at, int s, const Claim& claim, int ray, Int& value) {
        const Int* x = at.vectors.exact_ray(ray);
        dot(at.levels.exact_form(s, at.levels.score_of(s, claim.g, claim.winner)), x, D, value);
        dot(at.levels.exact_form(s, at.levels.score_of(s, claim.g, claim.loser)), x, D, other_);
        value.subtract(other_);
    }

    // Subtracts of the constant, then of one row after another that vanishes wherever the form does, as much as leaves
    // the form nowhere negative, until nothing is left.
    void peel(Place at, const Part& part, int s, const Form& f) {
        support_.clear();
        const int count = part.count;
        values_.resize(size(count));
        sizes_.resize(size(count));
        for (int i = 0; i < count; ++i) {
            const int ray = at.cones.ray(at.cones.member(part, i));
            exact_value(at, s, f.claim, ray, values_[size(i)]);
            sizes_[size(i)] = at.vectors.exact_ray(ray)[0];
        }
        peeled_at_ = subtract(count);
        while (true) {
            found_words_.assign(size(at.cones.tight_words()), ~Word{0});
            bool zero = true;
            for (int i = 0; i < count; ++i) {
                if (values_[size(i)].sign() != 0) {
                    zero = false;
                    continue;
                }
                const Word* tight = at.cones.tight(at.cones.member(part, i));
                for (int w = 0; w < at.cones.tight_words(); ++w) found_words_[size(w)] &= tight[w];
            }
            if (zero) return;
            int slot = -1;
            for (int w = 0; w < at.cones.tight_words(); ++w)
                if (found_words_[size(w)] != 0) slot = 64 * w + 63 - __builtin_clzll(found_words_[size(w)]);
            if (slot < 0) throw std::logic_error("a form that is nowhere negative is no combination of rows");
            support_.push_back(slot);
            const int ref = at.cones.slots(part)[slot];
            const Int* row = at.vectors.exact_row(ref);
            for (int i = 0; i < count; ++i) {
                dot(row, at.vectors.exact_ray(at.cones.ray(at.cones.member(part, i))), D, sizes_[size(i)]);
                if (ref < 0) sizes_[size(i)].negate();
            }
            subtract(count);
        }
    }
    // values - (least of values / sizes) sizes, times something positive; where it was least.
    int subtract(int count) {
        int best = -1;
        for (int i = 0; i < count; ++i) {
            if (sizes_[size(i)].sign() <= 0) continue;
            if (best >= 0) {
                value_.set_product(values_[size(i)], sizes_[size(best)]);
                other_.set_product(values_[size(best)], sizes_[size(i)]);
                if (value_.compare(other_) >= 0) continue;
            }
            best = i;
        }
        if (best < 0) throw std::logic_error("a row of a part is positive somewhere");
        top_ = values_[size(best)];
        bottom_ = sizes_[size(best)];
        for (int i = 0; i < count; ++i) {
            values_[size(i)].multiply(bottom_);
            values_[size(i)].subtract_product(top_, sizes_[size(i)]);
        }
        make_primitive(values_.data(), count, value_);
        return best;
    }

    int rays_before_ = 0, peeled_at_ = 0;
    std::vector<Word> found_words_;
    std::vector<double> heights_;
    std::vector<int> basis_, found_, support_, corners_;
    Elimination elimination_{D};
    IntVector values_, sizes_;
    Int value_, other_, top_, bottom_;
};

}  // namespace exactgeo
