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

#include "loops.hpp"
#include "sink.hpp"

namespace exactgeo {

// A class that loses to another one of its selector, on a part.
struct Claim {
    int g, winner, loser;
};

// Claims about one part, their forms in columns. ``sure``: nowhere negative; else floats say so. ``support``: at which
// corners the form is positive, if they cover it. ``vertex``: the member where it seems to be least. ``left``, in
// words: which of them are without evidence; ``covered``: by the corners at hand.
template <int D>
struct Claims {
    using Word = std::uint64_t;
    struct Entry {
        Claim claim;
        bool sure;
        std::uint32_t support;
    };
    std::vector<Entry> entries;
    std::vector<double> v, n1, er, least;
    std::vector<int> vertex;
    std::vector<Word> left, covered;
    int pad = 0;  // entries of a column
    bool all_sure = true;

    [[nodiscard]] std::size_t words() const { return static_cast<std::size_t>((pad + 63) / 64); }
    [[nodiscard]] bool is_left(std::size_t k) const { return (left[k >> 6] >> (k & 63) & 1) != 0; }
    [[nodiscard]] bool is_covered(std::size_t k) const { return (covered[k >> 6] >> (k & 63) & 1) != 0; }
    void done(std::size_t k) { left[k >> 6] &= ~(Word{1} << (k & 63)); }

    void begin(int most) {
        entries.clear();
        all_sure = true;
        pad = (most + 7) / 8 * 8;
        const auto size = static_cast<std::size_t>(pad);
        if (n1.size() < size) {
            v.resize(D * size);
            n1.resize(size);
            er.resize(size);
            least.resize(size);
            vertex.resize(size);
        }
        left.assign(words(), 0);
        covered.assign(words(), 0);
    }
    void add(const Levels& levels, int s, const Claim& claim, bool sure) {
        const auto k = entries.size(), stride = static_cast<std::size_t>(pad);
        const Level& level = levels[s];
        const auto g = static_cast<std::size_t>(claim.g);
        if (level.classes[g] == 2) {
            const double sign = claim.winner == 1 ? 1.0 : -1.0;
            const auto gap_pad = static_cast<std::size_t>(level.gap_pad);
            for (std::size_t c = 0; c < D; ++c) v[c * stride + k] = sign * level.gap[c * gap_pad + g];
            n1[k] = level.gap_n1[g];
            er[k] = level.gap_er[g];
        } else {
            double row[D];
            const auto view = levels.difference(s, levels.score_of(s, claim.g, claim.winner),
                                                levels.score_of(s, claim.g, claim.loser), row);
            for (std::size_t c = 0; c < D; ++c) v[c * stride + k] = row[c];
            n1[k] = view.n1;
            er[k] = view.er;
        }
        left[k >> 6] |= Word{1} << (k & 63);
        all_sure = all_sure && sure;
        entries.push_back({claim, sure, 0});
    }
};

template <int D>
class Evidence {
public:
    using Word = std::uint64_t;
    using Place = typename Sink<D>::Place;
    using Entry = typename Claims<D>::Entry;

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
    // Where the forms seem to be least; ``none`` where that cannot be told.
    void propose(Place at, const Part& part, Claims<D>& claims, int none) {
        const std::size_t count = claims.entries.size(), pad = size(claims.pad);
        scores_.resize(count);
        double* least = claims.least.data();
        int* vertex = claims.vertex.data();
        std::fill_n(least, count, HUGE_VAL);
        std::fill_n(vertex, count, none);
        for (int i = 0; i < part.count; ++i) {
            const double factor = heights_[size(i)];
            if (factor == 0.0) continue;
            const Ray<D>& ray = at.vectors.ray(at.cones.ray(at.cones.member(part, i)));
            double* value = scores_.data();
            for (std::size_t k = 0; k < count; ++k) value[k] = ray.x[0] * claims.v[k];
            for (std::size_t c = 1; c < D; ++c)
                for (std::size_t k = 0; k < count; ++k) value[k] += ray.x[c] * claims.v[c * pad + k];
            for (std::size_t k = 0; k < count; ++k) {
                const double height = value[k] * factor;
                vertex[k] = height < least[k] ? i : vertex[k];
                least[k] = height < least[k] ? height : least[k];
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
    int peeled_basis(Place at, const Part& part, int s, const Claim& claim) {
        peel(at, part, s, claim);
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

    // Which of the claims that are left have forms that are nowhere negative at the corners: how many.
    int cover(Place at, int s, Claims<D>& claims) {
        const std::size_t words = claims.words();
        positive_.assign(corners_.size() * words, 0);
        claims.covered = claims.left;
        // At the vertex, which is the last corner and on the part, what is sure need not be tried.
        const std::size_t tried = corners_.size() - (claims.all_sure ? 1 : 0);
        for (std::size_t m = 0; m < tried && !at.levels.faulty(); ++m) {
            const Ray<D>& ray = at.vectors.ray(corners_[m]);
            const SignBound bound(ray.mx, ray.e, D);
            for (std::size_t w = 0; w < words; ++w) {
                Word &positive = positive_[m * words + w], negative = 0;
                const auto first = static_cast<std::ptrdiff_t>(64 * w);
                const int count = std::min(64, claims.pad - static_cast<int>(first));
                signs_at(claims.v.data() + first, claims.n1.data() + first, claims.er.data() + first, count, claims.pad,
                         D, ray.x, {bound.per_size, bound.per_error, 2 * tiny}, positive, negative);
                claims.covered[w] &= ~negative;
            }
            at.levels.tally.floats += claims.entries.size();
        }
        int found = 0;
        for (std::size_t w = 0; w < words; ++w)
            for (Word bits = claims.covered[w]; bits != 0; bits &= bits - 1) {
                const int k = __builtin_ctzll(bits);
                if (covers(at, s, claims.entries[64 * w + size(k)], tried, w, words, k))
                    ++found;
                else
                    claims.covered[w] &= ~(Word{1} << k);
            }
        return found;
    }
    // The rows, by slots, of which a covered form is a positive combination but for a constant.
    const std::vector<int>& support_of(const Entry& entry) {
        support_.clear();
        for (std::size_t k = 0; k < basis_.size(); ++k)
            if ((entry.support >> k & 1) != 0) support_.push_back(basis_[k]);
        return support_;
    }
    // The same for any form that is nowhere negative on the part.
    const std::vector<int>& support_of(Place at, const Part& part, int s, const Claim& claim) {
        if (part.line_count == 0) {
            look(at, part);
            one_.begin(1);
            one_.add(at.levels, s, claim, true);
            propose(at, part, one_, -1);
            const int vertex = one_.vertex[0];
            if (vertex >= 0 && simple_basis(at, part, vertex)) {
                make_corners(at, part, vertex);
                const bool found = cover(at, s, one_) > 0;
                drop_corners(at);
                if (found) return support_of(one_.entries[0]);
            }
        }
        peel(at, part, s, claim);
        return support_;
    }

    // The sign of a claim's form at a ray.
    Sign sign_at(Place at, int s, const Claim& claim, int ray) {
        double v[D];
        const auto view = at.levels.difference(s, at.levels.score_of(s, claim.g, claim.winner),
                                               at.levels.score_of(s, claim.g, claim.loser), v);
        const Guess guess = Vectors<D>::filtered(v, view.n1, view.er, view.grid, at.vectors.ray(ray));
        if (guess.certain() && !at.levels.fault()) {
            ++at.levels.tally.floats;
            return guess.sign();
        }
        ++at.levels.tally.exact;
        exact_value(at, s, claim, ray, value_);
        return sign_from(value_.sign());
    }

    [[nodiscard]] const std::vector<int>& basis() const { return basis_; }
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

    // Decides what floats leave open of a claim; its support.
    bool covers(Place at, int s, Entry& entry, std::size_t tried, std::size_t w, std::size_t words, int k) {
        entry.support = 0;
        for (std::size_t m = 0; m < tried; ++m) {
            bool positive = (positive_[m * words + w] >> k & 1) != 0;
            if (!positive) {
                const Sign sign = sign_at(at, s, entry.claim, corners_[m]);
                if (sign == Sign::negative) return false;
                positive = sign == Sign::positive;
            }
            if (positive) entry.support |= 1U << m;
        }
        return true;
    }
    void exact_value(Place at, int s, const Claim& claim, int ray, Int& value) {
        const Int* x = at.vectors.exact_ray(ray);
        dot(at.levels.exact_form(s, at.levels.score_of(s, claim.g, claim.winner)), x, D, value);
        dot(at.levels.exact_form(s, at.levels.score_of(s, claim.g, claim.loser)), x, D, other_);
        value.subtract(other_);
    }

    // Subtracts of the constant, then of one row after another that vanishes wherever the form does, as much as leaves
    // the form nowhere negative, until nothing is left.
    void peel(Place at, const Part& part, int s, const Claim& claim) {
        support_.clear();
        const int count = part.count;
        values_.resize(size(count));
        sizes_.resize(size(count));
        for (int i = 0; i < count; ++i) {
            const int ray = at.cones.ray(at.cones.member(part, i));
            exact_value(at, s, claim, ray, values_[size(i)]);
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
    std::vector<double> heights_, scores_;
    std::vector<Word> positive_;
    Claims<D> one_;
    std::vector<int> basis_, found_, support_, corners_;
    Elimination elimination_{D};
    IntVector values_, sizes_;
    Int value_, other_, top_, bottom_;
};

}  // namespace exactgeo
