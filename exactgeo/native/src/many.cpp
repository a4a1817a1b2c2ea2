#include "many.hpp"

#include <exception>
#include <thread>
#include <utility>  // move

#include "rows.hpp"
#include "split.hpp"

namespace exactgeo {

namespace {

class RecountOnRows final : public Recount {
public:
    RecountOnRows(const Network& network, Work& work, Tally& tally) : network_(network), work_(work), tally_(tally) {}
    void run() override { split_on_rows(network_, Faults{}, work_, nullptr, tally_); }

private:
    const Network& network_;
    Work& work_;
    Tally& tally_;
};

}  // namespace

Many::Many(const Network& shape, Program program, std::int64_t count, std::int64_t limit, int threads)
    : cells(static_cast<std::size_t>(count), 1),
      complete(static_cast<std::size_t>(count), 0),
      shape_(shape),
      program_(std::move(program)),
      limit_(limit) {
    for (int t = 0; t < threads; ++t) works_.push_back(std::make_unique<Work>());
}

void Many::run() {
    std::vector<Tally> tallies(works_.size());
    std::vector<std::exception_ptr> thrown(works_.size());
    std::vector<std::thread> threads;
    const auto work = [&](std::size_t t) {
        try {
            count(*works_[t], tallies[t]);
        } catch (...) {
            thrown[t] = std::current_exception();
            stop();
        }
    };
    try {
        for (std::size_t t = 1; t < works_.size(); ++t) threads.emplace_back(work, t);
    } catch (...) {  // the system has no more of them
        thrown[0] = std::current_exception();
        stop();
    }
    if (thrown[0] == nullptr) work(0);
    for (std::thread& thread : threads) thread.join();
    for (const Tally& own : tallies) tally.add(own);
    for (const std::exception_ptr& error : thrown)
        if (error != nullptr) std::rethrow_exception(error);
}

void Many::stop() {
    stopped_.store(true);
    for (const auto& work : works_) work->stop.store(true);
}

void Many::count(Work& work, Tally& tally) {
    Network network = shape_;
    Lowering lowering(program_, network);
    const std::unique_ptr<Recount> tree = network.dimension <= most_split_dimension
                                              ? recount(network, work, tally)
                                              : std::make_unique<RecountOnRows>(network, work, tally);
    work.limit = limit_;
    const auto all = static_cast<std::int64_t>(cells.size());
    while (true) {
        const std::int64_t k = next_.fetch_add(1, std::memory_order_relaxed);
        if (k >= all) return;
        work.cells.store(0, std::memory_order_relaxed);
        // In this order, so that whoever stops all is not missed: first for this network, then for all.
        work.stop.store(false);
        if (stopped_.load()) return;
        lowering.lower(k);
        tree->run();
        const std::int64_t found = work.cells.load(std::memory_order_relaxed);
        // Stopped while it was at work, perhaps just after its end; beyond the limit it stops itself.
        const bool whole = found <= limit_ && !work.stopped();
        cells[static_cast<std::size_t>(k)] = found > 0 ? found : 1;
        complete[static_cast<std::size_t>(k)] = whole ? 1 : 0;
        done_.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace exactgeo
