// The cells of a network by walking their adjacency graph: a second opinion on the trees.
//
// Inside one parent, a cell of the stages before, the cells of a stage form a face-to-face complex whose dual graph is
// connected (see ``partition/search.py``): so
//
//     take a cell, find its facets, step through each, look the neighbour up, until nothing is new
//
// finds all of them, and parents are taken stage by stage. Nothing is assumed of the map, which may jump between
// parents. Levels and linear programs are shared with the split on rows, the tree is not.
//
// A cell is kept as its winners. Its rows are those of the parent, which are never crossed, and score_w - score_i for
// each selector and class i that loses, but for classes that lose everywhere in the parent. A row is a facet just if
// there is a point beyond it that is inside all others: a ray at a right angle to the row often finds one, otherwise it
// is a linear program. Rows that are multiples of each other would exclude each other; so where the program is empty
// they are found exactly and tested as one. A neighbour that is known already needs no test.
//
// Beyond a facet. Let x be a point beyond the rows of a facet and inside all others. A selector without a row among
// them keeps its winner w. In others the classes i whose rows are among them beat w at x, and everyone else loses to w;
// beyond the facet and close to it the winner is the one among these i that is largest at x, since their differences
// vanish on the facet, too.
//
// The first cell is that beside a point inside the parent. Cells of a parent are listed in the order of their winners,
// whatever the order in which they were found.
#pragma once

#include "cells.hpp"

namespace exactgeo {

// As ``split_on_rows``. Rows of a listed cell include all its facets, and possibly more.
void search(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally);

}  // namespace exactgeo
