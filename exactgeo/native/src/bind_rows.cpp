// The split on rows and the search for Python, as a whole: how many cells, their patterns, and how they were decided.
#include <nanobind/stl/tuple.h>

#include "bind.hpp"
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

std::tuple<std::int64_t, nb::bytes, Tally> run(Method method, const Network& network, std::int64_t limit, bool listed,
                                               const Faults& faults) {
    Work work;
    work.limit = limit;
    Cells cells;
    Tally tally;
    {
        const nb::gil_scoped_release released;
        method(network, faults, work, listed ? &cells : nullptr, tally);
    }
    const nb::bytes patterns(reinterpret_cast<const char*>(cells.pattern.data()), 2 * cells.pattern.size());
    return {work.cells.load(), patterns, tally};
}

}  // namespace

void bind_rows(nb::module_& m) {
    const auto define = [&](const char* name, Method method, const char* doc) {
        m.def(
            name,
            [method](const Network& network, std::int64_t limit, bool listed, double unsure, bool refine, bool no_grids,
                     double programs, bool perturbed, int point_bits, double lies, std::uint64_t seed) {
                Faults faults;
                faults.unsure = unsure;
                faults.refine = refine;
                faults.no_grids = no_grids;
                faults.programs = programs;
                faults.perturbed = perturbed;
                faults.point_bits = point_bits;
                faults.lies = lies;
                faults.seed = seed;
                return run(method, network, limit, listed, faults);
            },
            nb::arg("network"), nb::arg("limit") = INT64_MAX, nb::arg("listed") = false, nb::arg("unsure") = 0.0,
            nb::arg("refine") = false, nb::arg("no_grids") = false, nb::arg("programs") = 0.0,
            nb::arg("perturbed") = false, nb::arg("point_bits") = 0, nb::arg("lies") = 0.0, nb::arg("seed") = 1, doc);
    };
    define("split", &split_listing,
           "The number of cells by the tree on generators; if listed, their patterns, 16 bits for each selector; the "
           "tally.");
    define("split_on_rows", &split_on_rows,
           "The number of cells by the tree on rows; if listed, their patterns, 16 bits for each selector; the tally.");
    define("search", &search, "The same by the adjacency graph.");
}

}  // namespace exactgeo
