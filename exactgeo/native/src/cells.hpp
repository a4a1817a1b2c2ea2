// What every tree and search shares: budgets, and the cells that it lists.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "level.hpp"

namespace exactgeo {

// Read by the work at every node, written by whoever waits for it; and the other way round for what is found so far.
struct Work {
    std::atomic<bool> stop{false};
    std::atomic<std::int64_t> cells{0};  // proved so far
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();

    // Adds cells that were found; the work ends once there are more than the limit.
    void found(std::int64_t more) {
        if (cells.fetch_add(more, std::memory_order_relaxed) + more > limit)
            stop.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool stopped() const { return stop.load(std::memory_order_relaxed); }
};

// Where a row of a cell comes from: score of class ``winner`` minus score of class ``loser`` of a selector of a level
// (classes are numbered on that level), or row ``selector`` of the domain, if the level is -1.
struct Origin {
    std::int32_t level, selector, winner, loser;
};

// Cells as they are listed. ``pattern``: for each selector of each stage the lowest candidate of the class that wins.
struct Cells {
    int selectors = 0;
    std::vector<std::uint16_t> pattern;
    bool with_rows = false;
    std::vector<std::int64_t> first_row{0};
    std::vector<Origin> rows;

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(first_row.size()) - 1; }
    // Appends the cell whose winners are those of all levels.
    void add(const Levels& levels) {
        for (int s = 0; s < levels.network().depth(); ++s) {
            const Stage& stage = levels.stage(s);
            const Level& level = levels[s];
            for (std::size_t g = 0; g + 1 < stage.first.size(); ++g)
                pattern.push_back(static_cast<std::uint16_t>(
                    level.low[static_cast<std::size_t>(stage.first[g] + level.won[g])] - stage.first[g]));
        }
        first_row.push_back(static_cast<std::int64_t>(rows.size()));
    }
};

}  // namespace exactgeo
