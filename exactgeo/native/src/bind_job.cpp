// Jobs for Python: counts and lists of cells by any method, in a thread without the interpreter lock.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <string>

#include "bind.hpp"
#include "flats.hpp"
#include "job.hpp"
#include "rows.hpp"
#include "search.hpp"
#include "split.hpp"

namespace nb = nanobind;

namespace exactgeo {

namespace {

using Method = void (*)(const Network&, const Faults&, Work&, Cells*, Tally&);

void split_listing(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally) {
    Wanted wanted;
    wanted.cells = out;
    split(network, faults, work, wanted, tally);
}

// Gaps of selectors with two candidates; what has one has none.
void count_on_all_of_space(const Network& network, const Faults&, Work& work, Cells*, Tally& tally) {
    const Stage& stage = network.stages[0];
    const int width = network.dimension + 1;
    IntVector rows;
    Int one, two;
    for (std::size_t g = 0; g + 1 < stage.first.size(); ++g) {
        const auto a = static_cast<std::size_t>(stage.first[g]);
        if (stage.first[g + 1] - stage.first[g] < 2) continue;
        for (int c = 0; c < width; ++c) {
            stage.weights.exact(stage.score[a], c, one);
            stage.weights.exact(stage.score[a + 1], c, two);
            rows.emplace_back(one);
            rows.back().subtract(two);
        }
    }
    const int n = static_cast<int>(rows.size()) / width;
    const FlatsResult found = count_flats(rows.data(), n, network.dimension, work);
    tally.grids += found.residues;
    tally.exact += found.exact;
}

// Whether flats may count: one stage with two candidates a selector, or one, on all of the space.
bool is_arrangement(const Network& network) {
    const auto& first = network.stages[0].first;
    bool two = network.depth() == 1;
    for (std::size_t g = 0; g + 1 < first.size(); ++g) two = two && first[g + 1] - first[g] <= 2;
    return two && network.rows.empty();
}

Method method_called(const std::string& name) {
    if (name == "split") return &split_listing;
    if (name == "rows") return &split_on_rows;
    if (name == "search") return &search;
    if (name == "flats") return &count_on_all_of_space;
    throw nb::value_error("a method is split, rows, search or flats");
}

const char* why(Reason reason) {
    return reason == Reason::cells ? "cells" : reason == Reason::memory ? "memory" : "stopped";
}

class CellsJob {
public:
    // Budgets are set before it starts.
    struct State {
        std::vector<Tally> tallies;  // one a worker
        std::atomic<std::size_t> workers{0};
        bool done = false;
        Job job;  // the last: its threads write into the others
    };

    CellsJob(const Network& network, const std::string& name, bool listed, bool with_rows, std::int64_t limit,
             std::int64_t limit_bytes, std::uint64_t path, Hands hands, const Faults& faults)
        : state_(new State) {
        const Method run = method_called(name);
        if (run == &count_on_all_of_space && !is_arrangement(network))
            throw nb::value_error("flats count arrangements on all of the space, and nothing else");
        if (hands.workers < 1) throw nb::value_error("there is at least one worker");
        if (run == &search || run == &count_on_all_of_space) hands.workers = 1;  // they have no tasks
        State& state = *state_;
        state.tallies.resize(static_cast<std::size_t>(hands.workers));
        Budget& budget = state.job.work.budget;
        budget.limit = limit;
        budget.limit_bytes = limit_bytes;
        budget.path = path;
        state.job.start(
            [&state, &network, faults, listed, with_rows, run](Work& work, Blocks& blocks) {
                Cells cells;
                cells.with_rows = with_rows;
                cells.reader = &blocks;
                cells.work = &work;
                run(network, faults, work, listed ? &cells : nullptr, state.tallies[state.workers++]);
                cells.close();
            },
            hands);
    }
    CellsJob(const CellsJob&) = delete;
    CellsJob& operator=(const CellsJob&) = delete;
    ~CellsJob() {
        if (state_->job.elsewhere()) {
            state_.release();  // NOLINT: its locks may be held for ever
            return;
        }
        const nb::gil_scoped_release released;
        state_.reset();
    }

    bool wait(double seconds) {
        State& state = here();
        const nb::gil_scoped_release released;
        return state.done = state.job.wait(seconds);
    }
    void stop() { here().job.stop(); }
    [[nodiscard]] std::int64_t cells() const { return state_->job.work.cells.load(std::memory_order_relaxed); }
    [[nodiscard]] std::optional<std::string> reason() const {
        const Reason reason = state_->job.work.budget.reason.load();
        if (reason == Reason::none) return std::nullopt;
        return why(reason);
    }
    std::optional<std::tuple<nb::bytes, nb::bytes, nb::bytes>> take() {
        Cells block;
        if (!here().job.blocks.take(block)) return std::nullopt;
        return std::tuple(bytes_of(block.pattern), bytes_of(block.first_row), bytes_of(block.rows));
    }
    [[nodiscard]] Tally tally() const {
        if (!state_->done) throw std::logic_error("the job is not done");
        Tally all;
        for (const Tally& one : state_->tallies) all.add(one);
        return all;
    }

private:
    [[nodiscard]] State& here() const {
        if (state_->job.elsewhere()) throw std::logic_error("the job was begun in another process");
        return *state_;
    }

    std::unique_ptr<State> state_;
};

}  // namespace

void bind_job(nb::module_& m) {
    nb::class_<CellsJob>(m, "CellsJob", "Cells that are counted or listed in a thread, which begins at once.")
        .def(
            "__init__",
            [](CellsJob* self, const Network& network, const std::string& method, bool listed, bool rows,
               std::int64_t limit, std::uint64_t path, int workers, std::optional<std::int64_t> limit_bytes, bool eager,
               std::int64_t most_behind, std::int64_t failing, double unsure, bool refine, bool no_grids,
               double programs, bool perturbed, int point_bits, std::uint64_t seed) {
                Faults faults;
                faults.unsure = unsure;
                faults.refine = refine;
                faults.no_grids = no_grids;
                faults.programs = programs;
                faults.perturbed = perturbed;
                faults.point_bits = point_bits;
                faults.seed = seed;
                const std::int64_t most_bytes = limit_bytes.value_or(INT64_MAX);
                new (self) CellsJob(network, method, listed, rows, limit, most_bytes, path,
                                    {workers, most_behind, eager, failing}, faults);
            },
            nb::keep_alive<1, 2>(), nb::arg("network"), nb::arg("method"), nb::arg("listed") = false,
            nb::arg("rows") = false, nb::arg("limit") = INT64_MAX, nb::arg("path") = 1, nb::arg("workers") = 1,
            nb::arg("limit_bytes").none() = nb::none(), nb::arg("eager") = false,
            nb::arg("most_behind") = Hands().most_behind, nb::arg("failing") = 0, nb::arg("unsure") = 0.0,
            nb::arg("refine") = false, nb::arg("no_grids") = false, nb::arg("programs") = 0.0,
            nb::arg("perturbed") = false, nb::arg("point_bits") = 0, nb::arg("seed") = 1,
            "By split (on generators), rows (split on rows), search, or flats (one stage with two candidates a "
            "selector, on all of the space, not listed). The first two may have several workers; order and bytes are "
            "those of one. It ends early once there are more cells than the limit, or more bytes in pools than theirs. "
            "For tests: eager workers give tasks away at every chance, and wait when so many bytes are behind what can "
            "be written; the task that is begun as the failing-th throws.")
        .def("wait", &CellsJob::wait, nb::arg("seconds"),
             "Wait so long, or until there is something to take: whether all is done.")
        .def("stop", &CellsJob::stop, "Have the work end soon.")
        .def_prop_ro("cells", &CellsJob::cells, "How many are proved so far.")
        .def_prop_ro("reason", &CellsJob::reason,
                     "Why it has ended, or is about to end, before all was done: cells, memory or stopped; else None.")
        .def("take", &CellsJob::take,
             "The next listed cells, if there are any: patterns, 16 bits for each selector; for each cell where its "
             "rows begin, 64 bits; rows: level, selector, winner and loser, 32 bits each.")
        .def_prop_ro("tally", &CellsJob::tally, "How signs were decided; once all is done.");
}

}  // namespace exactgeo
