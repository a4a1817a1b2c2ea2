// Classes of cells with equal maps.
//
// Cells whose functionals are further apart than their errors have different maps. What is left hangs together in
// clusters of overlapping intervals. There maps whose doubles are exact are equal just if their numbers are; those with
// equal choices are equal, those with different residues differ (``sketch.hpp``). Where residues of different cells
// are equal the exact maps are made along the patterns. These are known up to a positive factor, which the
// constant form has too: with it they are made primitive, and compared.
#pragma once

#include "gather.hpp"
#include "sketch.hpp"

namespace exactgeo {

struct MapClasses {
    std::vector<CellNumber> of;          // of each cell, numbered by first cells
    std::vector<std::uint32_t> members;  // how many cells each class has
};

// Empty, if the work is stopped.
MapClasses classes_of_maps(const Network& network, const Layout& layout, const Gathered& cells, Path& path,
                           const Work& work);

}  // namespace exactgeo
