// The split on generators, for dimensions 1 to 5.
#pragma once

#include "cells.hpp"

namespace exactgeo {

constexpr int most_split_dimension = 5;

// Counts the cells in work, and lists them if ``out`` is given: rows of a cell, if asked for, are its facets.
void split(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally);

// The same in one width, dimension + 1: each is compiled in a file of its own.
template <int D>
void split_in(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally);

}  // namespace exactgeo
