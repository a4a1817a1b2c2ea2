// What walls and regions need of every cell, gathered while the tree on generators visits it: a pattern in bits, one
// functional of the output map, and the rows that are facets.
//
// All of it depends on the cell alone, so that stretches of cells may be gathered apart and appended.
#pragma once

#include "continuity.hpp"
#include "facets.hpp"
#include "sink.hpp"

namespace exactgeo {

// Maps whose doubles are exact, each once: equal just if their doubles are.
class ExactMaps {
public:
    static constexpr std::int32_t none = -1;
    static constexpr std::int32_t mixed = -2;  // none, and some class that wins has members with different values
    // The number of a map, which is new or known.
    std::int32_t number(const double* entries, int count) {
        Word hash = 0;
        for (int k = 0; k < count; ++k) {
            Word bits = 0;
            std::memcpy(&bits, entries + k, 8);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 29;
        }
        if (2 * (count_ + 1) > slots_.size()) grow();
        std::size_t k = hash & (slots_.size() - 1);
        for (; slots_[k] >= 0; k = (k + 1) & (slots_.size() - 1))
            if (hashes_[static_cast<std::size_t>(slots_[k])] == hash &&
                std::equal(entries, entries + count, entries_.begin() + static_cast<std::ptrdiff_t>(slots_[k]) * count))
                return slots_[k];
        slots_[k] = static_cast<std::int32_t>(count_++);
        hashes_.push_back(hash);
        entries_.insert(entries_.end(), entries, entries + count);
        return slots_[k];
    }
    [[nodiscard]] std::size_t size() const { return count_; }

private:
    void grow() {
        slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), -1);
        for (std::size_t n = 0; n < count_; ++n) {
            std::size_t k = hashes_[n] & (slots_.size() - 1);
            while (slots_[k] >= 0) k = (k + 1) & (slots_.size() - 1);
            slots_[k] = static_cast<std::int32_t>(n);
        }
    }
    std::size_t count_ = 0;
    std::vector<std::int32_t> slots_;
    std::vector<Word> hashes_;
    std::vector<double> entries_;
};

struct Gathered {
    std::vector<Word> patterns;
    // Of the map: a fixed functional, its error, and the number of the map, if its doubles are exact. Empty where the
    // network is not mapped.
    std::vector<double> value, error;
    std::vector<std::int32_t> exact;
    ExactMaps maps;
    // The last stage, but for stage m-1, where a class of several candidates wins a selector that is not continuous, or
    // -1. Empty where all selectors are continuous.
    std::vector<std::int32_t> merged;
    // For each facet that is not the domain's the class that it loses to, by its lowest candidate.
    std::vector<std::int64_t> first_facet{0};
    std::vector<std::uint32_t> facets;

    [[nodiscard]] CellNumber cells() const { return static_cast<CellNumber>(first_facet.size() - 1); }
};

template <int D>
class Gather final : public Sink<D> {
public:
    using Place = typename Sink<D>::Place;

    Gather(const Network& network, const Layout& layout, const Continuity& continuity, Gathered& out)
        : network_(network), layout_(layout), out_(out), now_(static_cast<std::size_t>(layout.words)) {
        for (int k = 0; k < layout.selectors(); ++k)
            if (layout.stage_of(k) + 1 == layout.depth && !continuity.truly(k))
                last_.push_back(k - layout.first_selector[static_cast<std::size_t>(layout.depth - 1)]);
        merged_.assign(static_cast<std::size_t>(layout.depth + 1), -1);
        jumping_.resize(static_cast<std::size_t>(layout.depth));
        for (int k = 0; k < layout.selectors(); ++k)
            if (!continuity.whole(k)) {
                const int s = layout.stage_of(k);
                jumping_[static_cast<std::size_t>(s)].push_back(k - layout.first_selector[static_cast<std::size_t>(s)]);
                jumps_ = true;
            }
        if (!network.mapped) return;
        outputs_ = network.stages.back().forms() - 1;
        map_.resize(static_cast<std::size_t>(outputs_ * D));
        Word state = 1;
        for (int k = 0; k < outputs_ * D; ++k) {  // in [1, 2), with nothing in common
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            weights_.push_back(1.0 + static_cast<double>(state >> 12) * 0x1p-52);
        }
    }

    void stage(Place at, int s, const Part&) override {
        const Level& level = at.levels[s];
        for (int g = 0; g < at.levels.stage(s).selectors(); ++g)
            if (level.classes[static_cast<std::size_t>(g)] == 1) set(at.levels, s, g, 0);
        if (s == 0 || !jumps_) return;
        const int before = merged_[static_cast<std::size_t>(s - 1)];
        const int merged = any_merged(at.levels, s - 1, jumping_[static_cast<std::size_t>(s - 1)]) ? s - 1 : before;
        merged_[static_cast<std::size_t>(s)] = merged;
    }

    void settled(Place at, int s, const Part&, const std::vector<std::pair<int, int>>& winners) override {
        for (const auto& [g, winner] : winners) set(at.levels, s, g, winner);
    }

    void cell(Place at, const Part& part) override {
        for (const int slot : facets_.of(at.cones, part)) add_facet(at, part, slot);
        add_cell(at);
    }

    // Those facets that reach to where the gap has the sign of the winner, at some ray; and the cut itself.
    [[nodiscard]] bool takes_halves() const override { return true; }
    void half(Place at, int s, const Part& whole, int g, int winner) override {
        set(at.levels, s, g, winner);
        if (winner == 0) slots_ = facets_.of(at.cones, whole);
        reached_.assign(static_cast<std::size_t>(at.cones.tight_words()), 0);
        for (int i = 0; i < whole.count; ++i) {
            Word* member = at.cones.member(whole, i);
            const Word* losing = winner == 0 ? at.cones.ge(member) : at.cones.le(member);
            if ((losing[g >> 6] >> (g & 63) & 1) != 0) continue;
            for (std::size_t w = 0; w < reached_.size(); ++w) reached_[w] |= at.cones.tight(member)[w];
        }
        for (const int slot : slots_)
            if ((reached_[static_cast<std::size_t>(slot >> 6)] >> (slot & 63) & 1) != 0) add_facet(at, whole, slot);
        out_.facets.push_back(candidate(at.levels, s, g, 1 - winner));
        add_cell(at);
    }

private:
    std::uint32_t candidate(const Levels& levels, int s, int g, int which) const {
        const int first = levels.stage(s).first[static_cast<std::size_t>(g)];
        return static_cast<std::uint32_t>(layout_.first_candidate[static_cast<std::size_t>(s)] +
                                          levels[s].low[static_cast<std::size_t>(first + which)]);
    }
    // Whether a class of several candidates wins one of these selectors.
    static bool any_merged(const Levels& levels, int s, const std::vector<int>& selectors) {
        const Level& level = levels[s];
        return std::any_of(selectors.begin(), selectors.end(), [&](int g) {
            const auto first = static_cast<std::size_t>(levels.stage(s).first[static_cast<std::size_t>(g)]);
            const int low = level.low[first + static_cast<std::size_t>(level.won[static_cast<std::size_t>(g)])];
            return level.next[static_cast<std::size_t>(low)] >= 0;
        });
    }
    void set(const Levels& levels, int s, int g, int winner) {
        layout_.set(now_.data(), candidate(levels, s, g, winner));
    }

    // Once its facets are there.
    void add_cell(Place at) {
        out_.patterns.insert(out_.patterns.end(), now_.begin(), now_.end());
        if (jumps_) out_.merged.push_back(merged_[static_cast<std::size_t>(layout_.depth - 1)]);
        if (network_.mapped) add_map(at.levels);
        out_.first_facet.push_back(static_cast<std::int64_t>(out_.facets.size()));
    }
    void add_facet(Place at, const Part& part, int slot) {
        const int ref = at.cones.slots(part)[slot];
        const Origin& origin = at.vectors.row(Vectors<D>::index(ref)).origin;
        if (origin.level >= 0)
            out_.facets.push_back(
                candidate(at.levels, origin.level, origin.selector, ref < 0 ? origin.winner : origin.loser));
    }

    [[nodiscard]] bool mixed(const Levels& levels) const {
        return (jumps_ && merged_[static_cast<std::size_t>(layout_.depth - 1)] >= 0) ||
               any_merged(levels, layout_.depth - 1, last_);
    }
    void add_map(Levels& levels) {
        const Level& map = levels[layout_.depth];
        double value = 0.0, error = 0.0, size = 0.0;
        int shift = 0;
        for (int s = 0; s <= layout_.depth; ++s) shift += levels[s].shift;
        for (int i = 0; i < outputs_; ++i) {
            for (int c = 0; c < D; ++c) {
                const double x = map.form[static_cast<std::size_t>(c * map.pad + i)] + 0.0;  // no -0
                map_[static_cast<std::size_t>(i * D + c)] = x;
                value += weights_[static_cast<std::size_t>(i * D + c)] * x;
            }
            error += D * map.er[static_cast<std::size_t>(i)];
            size += map.n1[static_cast<std::size_t>(i)];
        }
        const bool exact = error == 0.0 && shift == 0 && !levels.fault();
        error = functional_error(error, size, outputs_ * D);
        if (shift != 0) {  // forms are too large by this power of two
            value = std::ldexp(value, -shift);
            error = std::ldexp(error, -shift) + tiny;
        }
        if (!(std::fabs(value) < HUGE_VAL && error < HUGE_VAL) || levels.fault()) {
            value = 0.0;
            error = HUGE_VAL;
        }
        out_.value.push_back(value);
        out_.error.push_back(error);
        out_.exact.push_back(exact           ? out_.maps.number(map_.data(), outputs_ * D)
                             : mixed(levels) ? ExactMaps::mixed
                                             : ExactMaps::none);
    }

    const Network& network_;
    const Layout& layout_;
    Gathered& out_;
    std::vector<Word> now_;                  // the pattern so far
    std::vector<std::int32_t> merged_;       // as in Gathered, for the parent at hand of each stage
    std::vector<std::vector<int>> jumping_;  // of each stage the selectors that are not continuous
    std::vector<int> last_;                  // those of the last stage that are not truly continuous
    bool jumps_ = false;
    int outputs_ = 0;
    std::vector<double> weights_, map_;
    Facets<D> facets_;
    std::vector<int> slots_;
    std::vector<Word> reached_;
};

}  // namespace exactgeo
