// The split on generators, for dimensions 1 to 5.
#pragma once

#include <memory>  // unique_ptr

#include "cells.hpp"

namespace exactgeo {

constexpr int most_split_dimension = 5;

// What is wanted beside the number of cells, or nullptr: a list of them (their rows, if asked for, are tight
// somewhere).
struct Wanted {
    Cells* cells = nullptr;
};

// Counts the cells in work, and gives what is wanted.
void split(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally);

// Counts the same network again and again, whose weights may change in between: the domain and all memory are kept.
class Recount {
public:
    Recount() = default;
    Recount(const Recount&) = delete;
    Recount& operator=(const Recount&) = delete;
    virtual ~Recount() = default;
    virtual void run() = 0;
};
std::unique_ptr<Recount> recount(const Network& network, Work& work, Tally& tally);

// The same in one width, dimension + 1: each is compiled in a file of its own.
template <int D>
std::unique_ptr<Recount> recount_in(const Network& network, Work& work, Tally& tally);
template <int D>
void split_in(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally);

}  // namespace exactgeo
