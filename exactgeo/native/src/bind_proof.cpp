// Proofs for Python: the split tree of a certificate as text, in a thread without the interpreter lock.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "bind.hpp"
#include "job.hpp"
#include "proof.hpp"
#include "split.hpp"

namespace nb = nanobind;

namespace exactgeo {

namespace {

class ProofJob {
public:
    using Block = std::tuple<nb::bytes, std::int64_t, std::int64_t, nb::bytes, nb::bytes, nb::bytes>;

    ProofJob(const Network& network, std::vector<int> domain, int rows, bool multipliers, bool listed,
             const Faults& faults) {
        if (domain.size() != network.rows.size()) throw std::invalid_argument("each row of the domain has a number");
        if (listed && !(network.mapped && network.stages.back().forms() == 2))
            throw std::invalid_argument("leaves are sketched by the one form of a network's output");
        if (network.dimension < 1 || network.dimension > most_split_dimension)
            throw std::invalid_argument("proofs are for dimensions 1 to 5");
        proving_.domain = std::move(domain);
        proving_.listed = rows;
        proving_.multipliers = multipliers;
        proving_.leaves = listed;
        job_.start([this, &network, faults](Work& work, Blocks& blocks) {
            Cells cells;
            cells.reader = &blocks;
            Wanted wanted;
            wanted.cells = &cells;
            wanted.proving = &proving_;
            split(network, faults, work, wanted, tally_);
            cells.close();
        });
    }

    bool wait(double seconds) {
        const nb::gil_scoped_release released;
        return done_ = job_.wait(seconds);
    }
    void stop() { job_.stop(); }
    [[nodiscard]] std::int64_t cells() const { return job_.work.cells.load(std::memory_order_relaxed); }
    std::optional<Block> take() {
        Cells block;
        if (!job_.blocks.take(block)) return std::nullopt;
        longest_ = std::max(longest_, block.longest);
        digits_ = std::max(digits_, block.digits);
        return Block(nb::bytes(block.text.data(), block.text.size()), block.records, block.size(),
                     bytes_of(block.pattern), bytes_of(block.line), bytes_of(block.sketches));
    }
    [[nodiscard]] std::size_t longest() const { return longest_; }
    [[nodiscard]] std::size_t digits() const { return digits_; }
    [[nodiscard]] const Tally& tally() const {
        if (!done_) throw std::logic_error("the job is not done");
        return tally_;
    }

private:
    Proving proving_;
    Tally tally_;
    std::size_t longest_ = 0, digits_ = 0;
    bool done_ = false;
    Job job_;  // the last: its thread reads and writes the others
};

}  // namespace

void bind_proof(nb::module_& m) {
    nb::class_<ProofJob>(m, "ProofJob", "A proof that is searched for in a thread, which begins at once.")
        .def(
            "__init__",
            [](ProofJob* self, const Network& network, std::vector<int> domain, int rows, bool multipliers, bool listed,
               double unsure, bool refine, bool no_grids, std::uint64_t seed) {
                Faults faults;
                faults.unsure = unsure;
                faults.refine = refine;
                faults.no_grids = no_grids;
                faults.seed = seed;
                new (self) ProofJob(network, std::move(domain), rows, multipliers, listed, faults);
            },
            nb::keep_alive<1, 2>(), nb::arg("network"), nb::arg("domain"), nb::arg("rows"),
            nb::arg("multipliers") = false, nb::arg("listed") = false, nb::arg("unsure") = 0.0,
            nb::arg("refine") = false, nb::arg("no_grids") = false, nb::arg("seed") = 1,
            "By the split on generators. Rows of the domain have these numbers in the certificate, which lists so "
            "many; "
            "to be listed, the output has to be one form.")
        .def("wait", &ProofJob::wait, nb::arg("seconds"),
             "Wait so long, or until there is something to take: whether all is done.")
        .def("stop", &ProofJob::stop, "Have the work end soon.")
        .def_prop_ro("cells", &ProofJob::cells, "How many are proved so far.")
        .def("take", &ProofJob::take,
             "The next block, if there is one: lines; how many records; leaves; if listed, their patterns, 16 bits for "
             "each "
             "selector; where their lines begin, 64 bits; if listed, for each a sketch and its error, doubles.")
        .def_prop_ro("longest", &ProofJob::longest, "Bytes of the longest line taken so far.")
        .def_prop_ro("digits", &ProofJob::digits, "Digits of the longest integer taken so far; 0 if it has few.")
        .def_prop_ro("tally", &ProofJob::tally, "How signs were decided; once all is done.");
}

}  // namespace exactgeo
