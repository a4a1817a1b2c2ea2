// The split on generators, for dimensions 1 to 5.
#pragma once

#include <memory>  // unique_ptr

#include "cells.hpp"
#include "gather.hpp"
#include "shapes.hpp"

namespace exactgeo {

constexpr int most_split_dimension = 5;

struct Proving;  // proof.hpp

// What is wanted beside the number of cells, one of these or nothing: a list of them (their rows, if asked for, are
// tight somewhere), or with ``proving`` the records of their proof; what walls and regions need, where ``continuity``
// is given, too; the shapes of all, or of ``some``.
struct Wanted {
    Cells* cells = nullptr;
    const Proving* proving = nullptr;
    Gathered* gathered = nullptr;
    Shapes* shapes = nullptr;
    bool exact = false;  // shapes with exact rays
    const std::vector<CellNumber>* some = nullptr;
    const Layout* layout = nullptr;
    const Continuity* continuity = nullptr;
};

// Counts the cells of all tasks of the work, and gives what is wanted of them.
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
