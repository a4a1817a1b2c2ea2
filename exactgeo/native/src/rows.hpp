// The split tree on rows, for many dimensions: nodes are kept by the rows that cut on the path and by one point inside.
//
// Node. A set of points of the domain with an interior: winners of some selectors of stages 0..s, of which the first s
// are settled. Its rows are score_w - score_i for selectors that cut on the path; a selector that did not cut gives
// none, as its row is nonnegative on all of the node. With the node go a point strictly inside, and a tableau of its
// rows.
//
// Step. The next open selector of the stage, in the order of the network. With two classes the sign of their gap at the
// point says that one part is not empty; the other part is one linear program (``programs.hpp``). If that is empty the
// selector is settled and has cut nothing, otherwise the node has two children. With more classes there is one
// program for each but the one that wins at the point, with its rivals as rows once they are violated; children
// know the classes that win somewhere in the node and need no others as rivals: a point where one of them beats
// the others has no other winner, for the winners near it are among them.
// If all selectors are settled the node is a cell of the stage, and the next level begins on it.
//
// Complete, because children cover the node up to walls, and a part is left out only if it has no interior. No cell
// twice, because children differ in the winner. The order is that of the selectors and classes: a function of the
// network alone, whatever points and tableaux are. No recursion; nodes and rows live on stacks and are used again.
#pragma once

#include "cells.hpp"

namespace exactgeo {

// Counts the cells of all tasks of the work, and lists them if ``out`` is given: rows of a cell, if asked for, are
// those of its node.
void split_on_rows(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally);

}  // namespace exactgeo
