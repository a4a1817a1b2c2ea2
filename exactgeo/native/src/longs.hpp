// Long selectors, those with three classes or more: who wins at a ray, who wins on a node, and the parts of a node.
//
// At a ray all scores are computed at once; what is certainly below the largest is dropped, and what is left is
// compared by known ties (the rays of a part of class w are tight on rows score_w - score_i), then in integers.
//
// *Walk.* The part of class w is the node, cut by the most frequent rival of w until nobody beats w anywhere. Tried are
// all classes that attain the largest score at some ray that was met. That finds all parts: they are full-dimensional,
// cover the convex node and hence hang together by common facets; whoever has a facet in common with a part attains the
// largest score at all its rays, and all of them were met. While there are lines all classes are tried. A part that
// turns out to have no interior is dropped.
#pragma once

#include <algorithm>
#include <numeric>  // iota
#include <utility>
#include <vector>

#include "cone.hpp"
#include "loops.hpp"
#include "sink.hpp"

namespace exactgeo {

template <int D>
class Longs {
public:
    using Word = std::uint64_t;

    Longs(Levels& levels, Vectors<D>& vectors, Cones<D>& cones, Sink<D>* sink)
        : levels_(levels), vectors_(vectors), cones_(cones), sink_(sink), stages_(levels.network().stages.size()) {}

    // The selectors of a stage on a new parent: first none, then each.
    void begin(int s) {
        Columns& own = stages_[at(s)];
        own.number.assign(at(levels_.stage(s).selectors()), -1);
        own.selectors.clear();
        own.form.clear();
        own.n1.clear();
        own.er.clear();
    }
    void add(int s, int g) {
        const Level& level = levels_[s];
        Columns& own = stages_[at(s)];
        const int classes = level.classes[at(g)], pad = (classes + 7) / 8 * 8;
        Selector entry{g, classes, pad, own.n1.size(), 0.0, 0.0, level.grid > 0.0};
        own.number[at(g)] = static_cast<int>(own.selectors.size());
        own.form.resize(own.form.size() + at(D * pad), 0.0);
        own.n1.resize(own.n1.size() + at(pad), 0.0);
        own.er.resize(own.er.size() + at(pad), 0.0);
        for (int j = 0; j < classes; ++j) {
            const int form = levels_.score_of(s, g, j);
            for (int c = 0; c < D; ++c)
                own.form[entry.first * D + at(c * pad + j)] = level.form[at(c * level.pad + form)];
            own.n1[entry.first + at(j)] = level.n1[at(form)];
            own.er[entry.first + at(j)] = level.er[at(form)];
            const auto number = [](double x) { return x < HUGE_VAL ? x : HUGE_VAL; };
            entry.n1 = std::max(entry.n1, number(level.n1[at(form)]));
            entry.er = std::max(entry.er, number(level.er[at(form)]));
            entry.exact = entry.exact && level.er[at(form)] == 0.0;
        }
        for (int c = 0; c < D; ++c) {  // evaluated with the others: no larger than they are
            double* column = own.form.data() + entry.first * D + c * pad;
            std::fill(column + classes, column + pad, column[0]);
        }
        own.selectors.push_back(entry);
    }
    [[nodiscard]] int count(int s) const { return static_cast<int>(stages_[at(s)].selectors.size()); }

    // Makes known what open selectors do at a member, where it is not known yet.
    void mark(int s, const Part& part, Word* member, const std::vector<Word>& open) {
        for (int n = 0; n < count(s); ++n) {
            const int g = stages_[at(s)].selectors[at(n)].g;
            if ((open[at(g >> 6)] >> (g & 63) & 1) != 0 && cones_.marks(member)[n] == Mark::unknown)
                mark_one(s, n, part, member);
        }
    }

    // The class that wins a selector on all of the part, or -1.
    int winner(int s, int g, const Part& part) {
        const int n = stages_[at(s)].number[at(g)];
        Word* first = cones_.member(part, 0);
        candidates_.assign(1, Mark::winner(cones_.marks(first)[n]));
        bool alone = !Mark::tied(cones_.marks(first)[n]);
        for (int i = 1; i < part.count; ++i) {
            const std::uint32_t mark = cones_.marks(cones_.member(part, i))[n];
            if (Mark::tied(mark)) continue;
            if (alone && Mark::winner(mark) != candidates_[0]) return -1;
            candidates_[0] = Mark::winner(mark);
            alone = true;
        }
        if (!alone) {
            find_largest(s, n, part, first);
            candidates_ = tied_;
        }
        for (const int w : candidates_) {
            bool wins = !varies_along_lines(s, g, w, part).first;
            for (int i = 0; i < part.count && wins; ++i) wins = attains(s, n, w, part, cones_.member(part, i));
            if (wins) return w;
        }
        return -1;
    }

    // The parts of an open selector, with their classes, in ascending order.
    const std::vector<std::pair<int, Part>>& walk(int s, int g, const Part& part) {
        const int n = stages_[at(s)].number[at(g)];
        const int classes = stages_[at(s)].selectors[at(n)].classes;
        parts_.clear();
        queue_.clear();
        seen_.assign(at(classes), 0);
        if (part.line_count > 0)
            for (int w = 0; w < classes; ++w) meet(w);
        for (int i = 0; i < part.count; ++i) meet_all(s, n, part, cones_.member(part, i));
        for (std::size_t k = 0; k < queue_.size(); ++k) {
            const auto ends = cones_.ends();
            Part own = cones_.copy(part);
            if (won(s, n, queue_[k], own))
                parts_.emplace_back(queue_[k], own);
            else
                cones_.release(ends);
        }
        if (parts_.size() < 2) throw Inconsistent("an open selector has fewer than two winners");
        std::sort(parts_.begin(), parts_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        return parts_;
    }

    // Has the sink told why class w wins nowhere on a part, after a walk on it.
    void refute(int s, int g, int w, const Part& part) {
        const auto ends = cones_.ends();
        Part own = cones_.copy(part);
        won(s, stages_[at(s)].number[at(g)], w, own);
        cones_.release(ends);
    }

private:
    // Where the scores of a selector's classes are among the columns of its stage.
    struct Selector {
        int g, classes, pad;
        std::size_t first;
        double n1, er;  // the largest ones
        bool exact;
    };
    struct Columns {
        std::vector<int> number;  // of each selector of the stage among the long ones
        std::vector<Selector> selectors;
        std::vector<double> form, n1, er;
    };

    static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

    void meet(int w) {
        if (seen_[at(w)] != 0) return;
        seen_[at(w)] = 1;
        queue_.push_back(w);
    }
    void meet_all(int s, int n, const Part& part, Word* member) {
        const std::uint32_t mark = cones_.marks(member)[n];
        if (mark != Mark::unknown && !Mark::tied(mark)) return meet(Mark::winner(mark));
        mark_one(s, n, part, member);
        for (const int w : tied_) meet(w);
    }

    void mark_one(int s, int n, const Part& part, Word* member) {
        find_largest(s, n, part, member);
        cones_.marks(member)[n] = Mark::of(tied_[0], tied_.size() > 1);
    }

    // All classes with the largest score at a member, in ascending order: tied_.
    void find_largest(int s, int n, const Part& part, Word* member) {
        const Columns& own = stages_[at(s)];
        const Selector& entry = own.selectors[at(n)];
        const int index = cones_.ray(member);
        const Ray<D>& ray = vectors_.ray(index);
        const bool exact =
            entry.exact && exact_on_grids(entry.n1, levels_[s].grid, ray.mx, ray.grid) && !levels_.faulty();
        values_.resize(at(entry.pad));
        peaks_.resize(at(entry.pad / 8 + 8));
        const double best =
            evaluate(own.form.data() + entry.first * D, entry.pad, D, ray.x, values_.data(), peaks_.data());
        // First by the largest bound of all, then each by its own. Without numbers all are undecided.
        const SignBound bound(ray.mx, ray.e, D);
        const auto bound_of = [&](int j) { return bound.at(own.n1[entry.first + at(j)], own.er[entry.first + at(j)]); };
        const double least = exact ? best : least_near(best, bound.at(entry.n1, entry.er));
        tied_.resize(at(entry.classes));
        if (exact || (std::isfinite(entry.n1 * ray.mx) && std::isfinite(least) && !levels_.faulty()))
            tied_.resize(at(find_above(values_.data(), peaks_.data(), entry.classes, least, tied_.data())));
        else
            std::iota(tied_.begin(), tied_.end(), 0);
        if (!exact && tied_.size() > 1) {
            int first = tied_[0];
            for (const int j : tied_)
                if (values_[at(j)] > values_[at(first)]) first = j;
            tied_.erase(std::remove_if(tied_.begin(), tied_.end(),
                                       [&](int j) {
                                           return exceeds(values_[at(first)], bound_of(first), values_[at(j)],
                                                          bound_of(j)) &&
                                                  !levels_.fault();
                                       }),
                        tied_.end());
        }
        (exact ? levels_.tally.grids : levels_.tally.floats) += at(entry.classes) - (exact ? 0 : tied_.size());
        if (!exact && tied_.size() > 1) compare_exactly(s, n, part, member);
    }
    // Drops from tied_ what is not largest.
    void compare_exactly(int s, int n, const Part& part, Word* member) {
        const int g = stages_[at(s)].selectors[at(n)].g;
        group_.assign(at(stages_[at(s)].selectors[at(n)].classes), -1);
        // Known ties: of those that a row joins, the lower class stands for the other.
        const auto root = [&](int j) {
            while (group_[at(j)] >= 0) j = group_[at(j)];
            return j;
        };
        for (int w = 0; w < cones_.tight_words(); ++w)
            for (Word bits = cones_.tight(member)[w]; bits != 0; bits &= bits - 1) {
                const int ref = cones_.slots(part)[64 * w + __builtin_ctzll(bits)];
                const Origin& origin = vectors_.row(Vectors<D>::index(ref)).origin;
                if (origin.level != s || origin.selector != g) continue;
                const int a = root(origin.winner), b = root(origin.loser);
                if (a != b) group_[at(std::max(a, b))] = std::min(a, b);
            }
        int best = root(tied_[0]);
        larger_.assign(1, best);
        compared_.assign(1, best);
        for (const int j : tied_) {
            const int r = root(j);
            if (std::find(compared_.begin(), compared_.end(), r) != compared_.end()) continue;
            compared_.push_back(r);
            const Sign sign = exact_sign(s, g, r, best, cones_.ray(member));
            if (sign == Sign::negative) continue;
            if (sign == Sign::positive) {
                larger_.clear();
                best = r;
            }
            larger_.push_back(r);
        }
        tied_.erase(
            std::remove_if(tied_.begin(), tied_.end(),
                           [&](int j) { return std::find(larger_.begin(), larger_.end(), root(j)) == larger_.end(); }),
            tied_.end());
    }

    // The sign of score_a - score_b at a ray.
    Sign exact_sign(int s, int g, int a, int b, int ray) {
        return vectors_.exact_sign(s, levels_.score_of(s, g, a), levels_.score_of(s, g, b), ray);
    }
    Sign sign(int s, int g, int a, int b, int ray) {
        double v[D];
        const auto row = levels_.difference(s, levels_.score_of(s, g, a), levels_.score_of(s, g, b), v);
        const Guess guess = Vectors<D>::filtered(v, row.n1, row.er, row.grid, vectors_.ray(ray));
        if (!guess.certain() || levels_.fault()) return exact_sign(s, g, a, b, ray);
        ++levels_.tally.floats;
        return guess.sign();
    }

    // Whether class w has the largest score at a member.
    bool attains(int s, int n, int w, const Part& part, Word* member) {
        const std::uint32_t mark = cones_.marks(member)[n];
        if (Mark::winner(mark) == w) return true;
        if (!Mark::tied(mark)) return false;
        find_largest(s, n, part, member);
        return std::find(tied_.begin(), tied_.end(), w) != tied_.end();
    }

    // A class whose score differs from that of w along a line, and the line's number; whether there is one.
    std::pair<bool, std::pair<int, int>> varies_along_lines(int s, int g, int w, const Part& part) {
        for (int i = 0; i < part.line_count; ++i)
            for (int j = 0; j < levels_[s].classes[at(g)]; ++j)
                if (j != w && sign(s, g, w, j, cones_.line(part, i)) != Sign::zero) return {true, {j, i}};
        return {false, {-1, -1}};
    }

    // Cuts a part down to where class w wins; false where that has no interior.
    bool won(int s, int n, int w, Part& part) {
        const int g = stages_[at(s)].selectors[at(n)].g;
        const std::int64_t base = part.members;
        Part above;
        // No class is a rival twice.
        for (int cuts = levels_[s].classes[at(g)] + D; cuts > 0; --cuts) {
            const auto [varies, where] = varies_along_lines(s, g, w, part);
            if (varies) {
                cones_.across(part, vectors_.add_row(s, g, w, where.first), where.second, above, nullptr);
                part = above;
                for (int i = 0; i < part.count; ++i) mark_one(s, n, part, cones_.member(part, i));
                continue;
            }
            const int rival = most_frequent_rival(s, n, w, part);
            if (rival < 0) return true;
            const int row = vectors_.add_row(s, g, w, rival);
            signs_.clear();
            bool inside = false;
            for (int i = 0; i < part.count; ++i) {
                Word* member = cones_.member(part, i);
                const std::uint32_t mark = cones_.marks(member)[n];
                signs_.push_back(mark == Mark::of(w, false)    ? Sign::positive
                                 : Mark::winner(mark) == rival ? Sign::negative
                                                               : vectors_.sign(row, cones_.ray(member)));
                inside = inside || signs_.back() == Sign::positive;
            }
            if (!inside) {
                if (sink_ != nullptr) sink_->beaten({levels_, vectors_, cones_, *this}, s, part, g, w, rival);
                return false;
            }
            const int crossings = cones_.cut(part, row, signs_, -1, above, nullptr);
            part = above;
            for (int i = 0; i < crossings; ++i) {
                Word* member = cones_.member(part, i);
                if (cones_.marks(member)[n] == Mark::unknown) meet_all(s, n, part, member);
            }
            if (part.line_count == 0) cones_.move_down(part, base);
        }
        throw Inconsistent("a class that was cut off beats the winner again");
    }
    // Of the classes that beat w at members, the one that does at most of them; -1 if w wins the part. Where w is among
    // the largest it is marked as one.
    int most_frequent_rival(int s, int n, int w, const Part& part) {
        int rival = -1;
        rivals_.clear();
        for (int i = 0; i < part.count; ++i) {
            Word* member = cones_.member(part, i);
            std::uint32_t& mark = cones_.marks(member)[n];
            if (Mark::winner(mark) == w) continue;
            if (attains(s, n, w, part, member))
                mark = Mark::of(w, true);
            else
                rivals_.push_back(Mark::winner(mark));
        }
        std::sort(rivals_.begin(), rivals_.end());
        std::ptrdiff_t most = 0;
        for (auto it = rivals_.begin(); it != rivals_.end();) {
            const auto end = std::upper_bound(it, rivals_.end(), *it);
            if (end - it > most) {
                most = end - it;
                rival = *it;
            }
            it = end;
        }
        return rival;
    }

    Levels& levels_;
    Vectors<D>& vectors_;
    Cones<D>& cones_;
    Sink<D>* sink_;
    std::vector<Columns> stages_;
    std::vector<std::pair<int, Part>> parts_;
    std::vector<double> values_, peaks_;
    std::vector<int> tied_, candidates_, queue_, group_, larger_, compared_, rivals_;
    std::vector<std::uint8_t> seen_;
    std::vector<Sign> signs_;
};

}  // namespace exactgeo
