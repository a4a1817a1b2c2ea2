// Work of the core, run for Python.
#include "bind.hpp"
#include "cells.hpp"

namespace nb = nanobind;

namespace exactgeo {

void bind_work(nb::module_& m) {
    nb::class_<Tally>(m, "Tally", "How many signs were decided by what.")
        .def_ro("floats", &Tally::floats, "By floats, beyond their error.")
        .def_ro("grids", &Tally::grids, "By floats that are exact, zeros included.")
        .def_ro("exact", &Tally::exact, "By integers.")
        .def_ro("refined", &Tally::refined, "Forms that were made again in pairs of doubles.")
        .def_ro("exact_rays", &Tally::exact_rays, "Rays that were made in integers.")
        .def_ro("nodes", &Tally::nodes, "Nodes of the tree.")
        .def_ro("programs", &Tally::programs, "Linear programs.")
        .def_ro("pivots", &Tally::pivots, "Their pivots in floats.")
        .def_ro("points", &Tally::points, "Programs decided by a point of floats.")
        .def_ro("multipliers", &Tally::multipliers, "By multipliers in floats, beyond their error.")
        .def_ro("whole_multipliers", &Tally::whole_multipliers, "By small integers as multipliers, exactly.")
        .def_ro("exact_programs", &Tally::exact_programs, "By integers.");
}

}  // namespace exactgeo
