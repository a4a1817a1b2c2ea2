// Budgets of a piece of work, and what it has found so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace exactgeo {

// Read by the work at every node, written by whoever waits for it; and the other way round for what is found so far.
struct Work {
    std::atomic<bool> stop{false};
    std::atomic<std::int64_t> cells{0};  // proved so far
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    std::uint64_t path = 1;  // where the tree on generators begins, a hash as in partition/split.py

    // Adds cells that were found; the work ends once there are more than the limit.
    void found(std::int64_t more) {
        if (cells.fetch_add(more, std::memory_order_relaxed) + more > limit)
            stop.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool stopped() const { return stop.load(std::memory_order_relaxed); }
};

}  // namespace exactgeo
