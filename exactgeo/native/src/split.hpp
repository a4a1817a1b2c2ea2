// The split on generators, for dimensions 1 to 5.
#pragma once

#include "cells.hpp"

namespace exactgeo {

constexpr int most_split_dimension = 5;

struct Proving;  // proof.hpp

// What is wanted beside the number of cells, or nullptr: a list of them (their rows, if asked for, are tight
// somewhere), or with ``proving`` the records of their proof.
struct Wanted {
    Cells* cells = nullptr;
    const Proving* proving = nullptr;
};

// Counts the cells in work, and gives what is wanted.
void split(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally);

// The same in one width, dimension + 1: each is compiled in a file of its own.
template <int D>
void split_in(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally);

}  // namespace exactgeo
