// Many networks of one architecture: counted one after the other, by several threads.
//
// Each thread has a network of its own, which gets the weights of one after another, and one tree over it, whose domain
// and memory are kept. Results stand where the network's number says, so they are the same for any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "level.hpp"
#include "lowering.hpp"
#include "work.hpp"

namespace exactgeo {

class Many {
public:
    // ``shape``: the domain and the selectors, whatever its weights are. No more than ``limit`` cells are wanted of a
    // network.
    Many(const Network& shape, Program program, std::int64_t count, std::int64_t limit, int threads);

    void run();
    // From another thread: makes run end soon. Networks that are not counted to the end are not complete.
    void stop();
    [[nodiscard]] std::int64_t done() const { return done_.load(std::memory_order_relaxed); }

    std::vector<std::int64_t> cells;     // so many are proved: one at least, as the domain has an interior
    std::vector<std::uint8_t> complete;  // whether these are all, and no more than the limit
    Tally tally;

private:
    void count(Work& work, Tally& tally);

    const Network& shape_;
    Program program_;
    std::int64_t limit_;
    std::atomic<std::int64_t> next_{0}, done_{0};
    std::atomic<bool> stopped_{false};
    std::vector<std::unique_ptr<Work>> works_;  // of each thread
};

}  // namespace exactgeo
