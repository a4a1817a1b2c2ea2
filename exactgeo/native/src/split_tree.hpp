// The split tree on generators: the cells of all stages, depth first, in the order of ``exactgeo/partition/split.py``.
//
// A node is a cone (``cone.hpp``) inside one parent of a stage, with marks of the stage's selectors at its rays. A
// class that attains the largest score at every ray, and equally along every line, wins the selector on the node: it is
// *settled*. A node with an open selector is branched on one, picked by a hash of the path. A node without is a cell of
// the stages so far: of the last stage a cell, else the parent of a root of the next stage. Complete, because the
// closed branches cover the node; no cell twice, because branches have different winners; every cell has an interior,
// because every node has.
//
// A selector with two classes is cut by its gap, whose signs the marks already are; one with more class by class
// (``longs.hpp``).
//
// No recursion, and no allocation for a node once pools and scratch have grown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>  // logic_error
#include <string>     // to_string
#include <utility>
#include <vector>

#include "cone.hpp"
#include "level.hpp"
#include "longs.hpp"
#include "loops.hpp"
#include "sink.hpp"
#include "work.hpp"

namespace exactgeo {

template <int D>
class Tree {
public:
    // A sink, if there is one, is told of all nodes; without it cells of the last stage are only counted.
    Tree(const Network& network, const Faults& faults, Work& work, Sink<D>* sink, Tally& tally)
        : network_(network),
          work_(work),
          sink_(sink),
          tally_(tally),
          levels_(network, faults),
          vectors_(levels_),
          stages_(network.stages.size()),
          cones_(vectors_, most_words(network), most_longs(network)),
          longs_(levels_, vectors_, cones_, sink) {}

    // For whoever runs the tree many times: makes the domain, and what that takes is not in the tally.
    void prepare() {
        begin();
        levels_.tally = Tally{};
    }
    // May be run again when the weights of the network have changed: what the domain is is kept, and all memory.
    void run() {
        levels_.begin_first();
        if (!begun_ && !begin()) return;
        Task task;
        for (; work_.next(task); done_ = levels_.tally) {
            way_.begin(task);
            stack_.clear();
            cones_.release(domain_ends_);
            open_end_ = sums_end_ = 0;
            const Part root = cones_.copy(domain_);  // parts write into the tables of their parents
            push(root, 0, work_.path, -1, -1, cones_.ends(), {});
            walk_to_task();
            while (!stack_.empty() && !work_.stopped()) {
                if (work_.asked()) give();
                const Node node = pop();
                try {
                    visit(node);
                } catch (const Inconsistent& defect) {
                    throw Inconsistent(std::string(defect.what()) + ": stage " + std::to_string(node.level) +
                                       ", path " + std::to_string(node.path));
                }
                if (work_.metered() && levels_.tally.nodes % 64 == 0) work_.holds(bytes());
            }
            flush();
            if (sink_ != nullptr) sink_->close();
        }
        tally_.add(done_);
        levels_.tally = done_ = Tally{};
    }

private:
    using Word = std::uint64_t;

    // ``open``, ``sums``: places in the pools of what the parent in the tree has left open and summed up; -1 at the
    // root of a stage. ``ends``: the pools when the node was made, the same for it and its siblings.
    struct Node {
        Part part;
        int level;
        Word path;
        std::int64_t open, sums;
        typename Cones<D>::Ends ends;
        std::int64_t open_end, sums_end;
        Turn turn;
    };

    // What a stage is on the parent at hand, beside its level.
    struct Stage_ {
        int words = 0;
        bool gaps_exact = false;
        double gaps_n1 = 0.0;
    };

    static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }
    static int most_words(const Network& network) {
        int words = 0;
        for (const Stage& stage : network.stages) words = std::max(words, (stage.selectors() + 63) / 64);
        return words;
    }
    static int most_longs(const Network& network) {
        int most = 0;
        for (const Stage& stage : network.stages) {
            int longs = 0;
            for (int g = 0; g < stage.selectors(); ++g) longs += stage.first[at(g + 1)] - stage.first[at(g)] > 2;
            most = std::max(most, longs);
        }
        return most;
    }
    [[nodiscard]] bool last(int s) const { return s + 1 == static_cast<int>(network_.stages.size()); }
    template <class T>
    static void ensure(std::vector<T>& pool, std::int64_t size) {
        if (pool.size() < at(size)) pool.resize(at(2 * size));
    }
    static bool has(const std::vector<Word>& words, int g) { return (words[at(g >> 6)] >> (g & 63) & 1) != 0; }

    // -- the stack
    // -----------------------------------------------------------------------------------------------------

    void push(const Part& part, int level, Word path, std::int64_t open, std::int64_t sums,
              const typename Cones<D>::Ends& ends, Turn turn) {
        stack_.push_back({part, level, path, open, sums, ends, open_end_, sums_end_, turn});
    }
    Node pop() {
        const Node node = stack_.back();
        stack_.pop_back();
        return node;
    }
    // All that is done on the way was done before, set-up included, and is not to be counted again.
    void walk_to_task() {
        if (!way_.again(stack_.back().turn)) return;
        if (sink_ != nullptr) sink_->again = true;
        while (way_.again(stack_.back().turn) && !work_.stopped()) {
            visit(pop());
            if (stack_.empty()) throw std::logic_error("a task is not where it was given away");
        }
        if (sink_ != nullptr) sink_->again = false;
        levels_.tally = done_;
    }
    void give() {
        Task task;
        const std::size_t count = way_.part(stack_, [](const Node& node) { return node.turn; }, task);
        if (count == 0) return;
        work_.give(std::move(task));
        stack_.erase(stack_.begin(), stack_.begin() + static_cast<std::ptrdiff_t>(count));
    }
    [[nodiscard]] std::int64_t bytes() const {
        const std::size_t all = cones_.bytes() + vectors_.bytes() + stack_.capacity() * sizeof(Node) +
                                (open_pool_.capacity() + sums_.capacity()) * sizeof(Word);
        return static_cast<std::int64_t>(all + (sink_ != nullptr ? sink_->bytes() : 0));
    }

    static Word step(Word path, int branch) {
        return ((path + static_cast<Word>(branch)) * 6364136223846793005ULL + 1442695040888963407ULL) >> 3;
    }

    // Makes the domain, once; false where it has no interior.
    bool begin() {
        domain_ = cones_.space();
        for (int k = 0; k < static_cast<int>(network_.rows.size()); ++k)
            if (!keep_domain_row(domain_, k)) return false;
        domain_ends_ = cones_.ends();
        return begun_ = true;
    }
    // False where the domain has no interior.
    bool keep_domain_row(Part& part, int index) {
        const IntVector& row = network_.rows[at(index)];
        if (std::all_of(row.begin(), row.end(), [](const Int& x) { return x.sign() == 0; })) return true;
        const int k = vectors_.add_domain_row(index);
        Part kept;
        for (int i = 0; i < part.line_count; ++i)
            if (vectors_.sign(k, cones_.line(part, i)) != Sign::zero) {
                cones_.across(part, k, i, kept, nullptr);
                part = kept;
                return true;
            }
        signs_.clear();
        for (int i = 0; i < part.count; ++i) signs_.push_back(vectors_.sign(k, cones_.ray(cones_.member(part, i))));
        if (std::count(signs_.begin(), signs_.end(), Sign::positive) == 0) return false;
        if (std::count(signs_.begin(), signs_.end(), Sign::negative) == 0) return true;
        cones_.cut(part, k, signs_, -1, kept, nullptr);
        part = kept;
        return true;
    }

    // -- one node

    void visit(Node node) {
        ++levels_.tally.nodes;
        way_.enter(node.turn);
        cones_.release(node.ends);
        open_end_ = node.open_end;
        sums_end_ = node.sums_end;
        if (network_.depth() == 0) return finish_cell(node.part);
        const int s = node.level;
        if (node.open < 0) begin_stage(node);
        settle(node);
        const int words = stages_[at(s)].words;
        int left = 0;
        for (int w = 0; w < words; ++w) left += __builtin_popcountll(open_[at(w)]);
        if (left == 0) {
            if (s + 1 == network_.depth()) {
                if (!last(s)) levels_.begin(s, sums_.data() + node.sums);
                finish_cell(node.part);
            } else {
                levels_.begin(s, sums_.data() + node.sums);
                push(node.part, s + 1, 1, -1, -1, cones_.ends(), node.turn);
            }
            return;
        }
        const int g = nth_open(static_cast<int>(node.path % static_cast<Word>(left)));
        const bool counting = sink_ == nullptr && s + 1 == network_.depth() && last(s) && left == 1;
        if (has(levels_[s].many, g)) {
            const auto& parts = longs_.walk(s, g, node.part);
            if (counting)
                found(static_cast<std::int64_t>(parts.size()));
            else
                branch(node, g, parts);
        } else if (counting) {
            found(2);
        } else if (sink_ != nullptr && left == 1 && s + 1 == network_.depth() && node.part.line_count == 0 &&
                   sink_->takes_halves()) {
            for (const int winner : both_) finish_half(node, g, winner);
        } else {
            branch(node, g);
        }
    }

    int nth_open(int n) const {
        for (std::size_t w = 0;; ++w) {
            const int here = __builtin_popcountll(open_[w]);
            if (n >= here) {
                n -= here;
                continue;
            }
            Word bits = open_[w];
            for (; n > 0; --n) bits &= bits - 1;
            return static_cast<int>(64 * w) + __builtin_ctzll(bits);
        }
    }

    void found(std::int64_t more) {
        pending_ += more;
        if (pending_ >= 64) flush();
    }
    void flush() {
        work_.found(pending_);
        pending_ = 0;
    }

    void finish_cell(const Part& part) {
        found(1);
        if (sink_ != nullptr) sink_->cell(place(), part);
    }
    // The same for a cell that is not made.
    void finish_half(const Node& node, int g, int winner) {
        const int s = node.level;
        levels_[s].won[at(g)] = winner;
        if (!last(s)) {
            ensure(sums_, sums_end_ + levels_.sums_size(s));
            double* sums = sums_.data() + sums_end_;
            std::copy_n(sums_.data() + node.sums, levels_.sums_size(s), sums);
            levels_.add_winner(s, sums, g, winner);
            levels_.begin(s, sums);
        }
        found(1);
        sink_->half(place(), s, node.part, g, winner);
    }
    typename Sink<D>::Place place() { return {levels_, vectors_, cones_, longs_}; }

    // The selectors of a stage on a new parent, and their marks at all rays.
    void begin_stage(Node& node) {
        const int s = node.level;
        const Stage& stage = network_.stages[at(s)];
        Level& level = levels_[s];
        Stage_& own = stages_[at(s)];
        own.words = level.gap_pad / 64;
        longs_.begin(s);
        own.gaps_exact = level.grid > 0.0;
        own.gaps_n1 = 0.0;
        open_.resize(at(own.words));
        for (int w = 0; w < own.words; ++w) {
            open_[at(w)] = level.two[at(w)] | level.many[at(w)];
            for (Word bits = level.many[at(w)]; bits != 0; bits &= bits - 1)
                longs_.add(s, 64 * w + __builtin_ctzll(bits));
            for (Word bits = level.two[at(w)]; bits != 0 && own.gaps_exact; bits &= bits - 1) {
                const int g = 64 * w + __builtin_ctzll(bits);
                own.gaps_exact = level.gap_er[at(g)] == 0.0;
                own.gaps_n1 = std::max(own.gaps_n1, level.gap_n1[at(g)]);
            }
        }
        for (int i = 0; i < node.part.count; ++i) {
            Word* member = cones_.member(node.part, i);
            std::fill_n(cones_.ge(member), own.words, Word{0});
            std::fill_n(cones_.le(member), own.words, Word{0});
            std::fill_n(cones_.marks(member), longs_.count(s), Mark::unknown);
            mark_gaps(s, member);
            longs_.mark(s, node.part, member, open_);
        }
        if (!last(s)) {
            node.sums = sums_end_;
            sums_end_ += levels_.sums_size(s);
            ensure(sums_, sums_end_);
            double* sums = sums_.data() + node.sums;
            levels_.clear_sums(s, sums);
            for (int g = 0; g < stage.selectors(); ++g)
                if (level.classes[at(g)] == 1) levels_.add_winner(s, sums, g, 0);
        }
        for (int g = 0; g < stage.selectors(); ++g)
            if (level.classes[at(g)] == 1) level.won[at(g)] = 0;
        node.open = open_end_;
        open_end_ += own.words;
        ensure(open_pool_, open_end_);
        std::copy_n(open_.data(), own.words, open_pool_.data() + node.open);
        node.open_end = open_end_;
        if (sink_ != nullptr) sink_->stage(place(), s, node.part);
    }

    // What has become settled: winners, sums; the rest is open.
    void settle(Node& node) {
        const int s = node.level;
        Level& level = levels_[s];
        const Stage_& own = stages_[at(s)];
        open_.assign(open_pool_.begin() + node.open, open_pool_.begin() + node.open + own.words);
        settled_.clear();
        for (int w = 0; w < own.words; ++w) {
            Word ge = ~Word{0}, le = ~Word{0};
            for (int i = 0; i < node.part.count; ++i) {
                Word* member = cones_.member(node.part, i);
                ge &= cones_.ge(member)[w];
                le &= cones_.le(member)[w];
            }
            const Word two = open_[at(w)] & level.two[at(w)];
            for (Word bits = (ge | le) & two; bits != 0; bits &= bits - 1) {
                const int g = 64 * w + __builtin_ctzll(bits);
                const bool above = (ge >> (g & 63) & 1) != 0;
                if ((ge & le) >> (g & 63) & 1 && node.part.line_count == 0)
                    throw Inconsistent("a gap that is not zero vanishes on a node");
                if (node.part.line_count > 0 && !same_along_lines(s, g, node.part)) continue;
                settled_.emplace_back(g, above ? 1 : 0);
            }
            for (Word bits = open_[at(w)] & level.many[at(w)]; bits != 0; bits &= bits - 1) {
                const int g = 64 * w + __builtin_ctzll(bits);
                const int winner = longs_.winner(s, g, node.part);
                if (winner >= 0) settled_.emplace_back(g, winner);
            }
        }
        if (settled_.empty()) return;
        if (!last(s)) {
            const std::int64_t from = node.sums, size = levels_.sums_size(s);
            node.sums = sums_end_;
            sums_end_ += size;
            ensure(sums_, sums_end_);
            std::copy_n(sums_.data() + from, size, sums_.data() + node.sums);
            for (const auto& [g, winner] : settled_) levels_.add_winner(s, sums_.data() + node.sums, g, winner);
        }
        for (const auto& [g, winner] : settled_) {
            level.won[at(g)] = winner;
            open_[at(g >> 6)] &= ~(Word{1} << (g & 63));
        }
        if (sink_ != nullptr) sink_->settled(place(), s, node.part, settled_);
    }

    // Where the children of a node find what it has left open.
    std::int64_t keep_open(int s) {
        const std::int64_t place = open_end_;
        open_end_ += stages_[at(s)].words;
        ensure(open_pool_, open_end_);
        std::copy_n(open_.data(), stages_[at(s)].words, open_pool_.data() + place);
        return place;
    }

    // -- two classes

    void branch(const Node& node, int g) {
        const int s = node.level;
        if (sink_ != nullptr) sink_->branch(place(), s, node.part, g, both_);
        const int row = vectors_.add_row(s, g, 1, 0);
        Part above, below;
        bool slides = false;
        for (int i = 0; i < node.part.line_count && !slides; ++i)
            if (gap_sign(s, g, cones_.line(node.part, i)) != Sign::zero) {
                cones_.across(node.part, row, i, above, &below);
                complete(s, above, 0, above.count);
                complete(s, below, 0, below.count);
                slides = true;
            }
        if (!slides) {
            signs_.resize(at(node.part.count));
            for (int i = 0; i < node.part.count; ++i) {
                Word* member = cones_.member(node.part, i);
                const bool ge = (cones_.ge(member)[g >> 6] >> (g & 63) & 1) != 0;
                const bool le = (cones_.le(member)[g >> 6] >> (g & 63) & 1) != 0;
                signs_[at(i)] = ge && le ? Sign::zero : ge ? Sign::positive : Sign::negative;
            }
            const int crossings = cones_.cut(node.part, row, signs_, g, above, &below);
            complete(s, above, 0, crossings);
            cones_.share(above, below, crossings);
        }
        const std::int64_t open = keep_open(s);
        const auto ends = cones_.ends();
        if (way_.takes(1)) push(above, s, step(node.path, 2), open, node.sums, ends, way_.turn(1));
        if (way_.takes(0)) push(below, s, step(node.path, 1), open, node.sums, ends, way_.turn(0));
    }

    // The sign of the gap of a selector with two classes.
    Sign gap_sign(int s, int g, int ray) {
        const Level& level = levels_[s];
        double v[D];
        for (int c = 0; c < D; ++c) v[c] = level.gap[at(c * level.gap_pad + g)];
        const double er = level.gap_er[at(g)];
        const Guess guess =
            Vectors<D>::filtered(v, level.gap_n1[at(g)], er, er == 0.0 ? level.grid : 0.0, vectors_.ray(ray));
        if (guess.certain() && !levels_.fault()) {
            ++levels_.tally.floats;
            return levels_.told(guess.sign());
        }
        return vectors_.exact_sign(s, levels_.score_of(s, g, 1), levels_.score_of(s, g, 0), ray);
    }

    // Signs of all gaps at a ray: one ray against all columns.
    void mark_gaps(int s, Word* member) {
        const Level& level = levels_[s];
        const Stage_& own = stages_[at(s)];
        const Ray<D>& ray = vectors_.ray(cones_.ray(member));
        const bool exact = own.gaps_exact && exact_on_grids(own.gaps_n1, level.grid, ray.mx, ray.grid);
        const SignBound at_ray(ray.mx, ray.e, D);
        const Bound bound = exact ? Bound{0.0, 0.0, 0.0} : Bound{at_ray.per_size, at_ray.per_error, 2 * tiny};
        const int selectors = levels_.stage(s).selectors();
        for (int w = 0; w < own.words; ++w) {
            Word positive = 0, negative = 0;
            signs_at(level.gap.data() + 64 * w, level.gap_n1.data() + 64 * w, level.gap_er.data() + 64 * w,
                     std::min(64, (selectors - 64 * w + 7) / 8 * 8), level.gap_pad, D, ray.x, bound, positive,
                     negative);
            if (levels_.faulty())
                for (int k = 0; k < 64; ++k)
                    if (levels_.fault()) {
                        positive &= ~(Word{1} << k);
                        negative &= ~(Word{1} << k);
                    }
            Word undecided = level.two[at(w)] & ~(positive | negative);
            Word zero = 0;
            const auto decided = static_cast<Word>(__builtin_popcountll(level.two[at(w)] & (positive | negative)));
            if (exact && !levels_.faulty()) {
                zero = undecided;
                undecided = 0;
                levels_.tally.grids += static_cast<Word>(__builtin_popcountll(level.two[at(w)]));
            } else {
                levels_.tally.floats += decided;
            }
            for (; undecided != 0; undecided &= undecided - 1) {
                const Word bit = undecided & -undecided;
                const Sign sign = gap_sign(s, 64 * w + __builtin_ctzll(undecided), cones_.ray(member));
                if (sign == Sign::positive) positive |= bit;
                if (sign == Sign::negative) negative |= bit;
                if (sign == Sign::zero) zero |= bit;
            }
            cones_.ge(member)[w] = (positive | zero) & level.two[at(w)];
            cones_.le(member)[w] = (negative | zero) & level.two[at(w)];
        }
    }

    // Makes known what open selectors do at the members first .. last - 1.
    void complete(int s, const Part& part, int first, int last) {
        const Level& level = levels_[s];
        const Stage_& own = stages_[at(s)];
        for (int i = first; i < last; ++i) {
            Word* member = cones_.member(part, i);
            const int ray = cones_.ray(member);
            for (int w = 0; w < own.words; ++w) {
                Word *ge = cones_.ge(member) + w, *le = cones_.le(member) + w;
                for (Word bits = open_[at(w)] & level.two[at(w)] & ~(*ge | *le); bits != 0; bits &= bits - 1) {
                    const Sign sign = gap_sign(s, 64 * w + __builtin_ctzll(bits), ray);
                    const Word bit = bits & -bits;
                    if (sign != Sign::negative) *ge |= bit;
                    if (sign != Sign::positive) *le |= bit;
                }
            }
            longs_.mark(s, part, member, open_);
        }
    }

    bool same_along_lines(int s, int g, const Part& part) {
        for (int i = 0; i < part.line_count; ++i)
            if (gap_sign(s, g, cones_.line(part, i)) != Sign::zero) return false;
        return true;
    }

    // -- more classes

    void branch(const Node& node, int g, const std::vector<std::pair<int, Part>>& parts) {
        const int s = node.level;
        if (sink_ != nullptr) {
            classes_.clear();
            for (const auto& [winner, part] : parts) classes_.push_back(winner);
            sink_->branch(place(), s, node.part, g, classes_);
        }
        for (const auto& [winner, part] : parts) complete(s, part, 0, part.count);
        const std::int64_t open = keep_open(s);
        const auto ends = cones_.ends();
        for (std::size_t k = parts.size(); k > 0; --k)
            if (const int choice = static_cast<int>(k) - 1; way_.takes(choice))
                push(parts[k - 1].second, s, step(node.path, choice + 1), open, node.sums, ends, way_.turn(choice));
    }

    const Network& network_;
    Work& work_;
    Sink<D>* sink_;
    Tally& tally_;
    Levels levels_;
    Vectors<D> vectors_;
    std::vector<Stage_> stages_;
    Cones<D> cones_;
    Longs<D> longs_;
    Way way_;
    Tally done_;  // of the tasks that are done, which is all that is reported
    Part domain_;
    typename Cones<D>::Ends domain_ends_;
    bool begun_ = false;
    std::vector<Node> stack_;
    std::vector<Word> open_pool_;
    std::vector<double> sums_;
    std::int64_t open_end_ = 0, sums_end_ = 0, pending_ = 0;
    // Scratch.
    std::vector<Word> open_;
    std::vector<std::pair<int, int>> settled_;
    const std::vector<int> both_{0, 1};
    std::vector<int> classes_;
    std::vector<Sign> signs_;
};

}  // namespace exactgeo
