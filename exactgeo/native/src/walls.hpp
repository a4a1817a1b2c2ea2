// All walls between the cells of a network, and its maximal linear regions.
//
// Notation. m stages; C a cell, F a facet of it on the hyperplane h = 0 of a row of selector g of stage s, on which the
// winner w of C is beaten by r beyond. f_t is the map before stage t on a cell, continued affinely.
//
// **Lemma 1 (where walls are).** The stages before s have the same winners on both sides of F, in one parent P, and h
// cuts the interior of P. Let K be the cell of stage s in P that contains C. Cells of one stage in P meet face to face,
// so K has one neighbour K' across h, and the walls of C on F are with cells inside K'.
// *Proof.* The row has a slot because it cut the interior of a node inside P, and F has the dimension d-1 and lies in
// the closure of that node: its relative interior is in the interior of P. QED.
//
// **Lemma 2 (flips).** Let C and C' be cells whose patterns differ in selector g of stage s only, w against r. Suppose
// that s is the last stage or (w, r) a continuous pair (``continuity.hpp``), and that classes of several candidates
// that win on C or C' in stages s+1..m-2, or g, win selectors all of whose pairs are continuous. Then closure(C) and
// closure(C') have the same intersection with h = 0. So if C has a facet there, that is the one of C', it is a wall,
// and no other is on it.
// *Proof.* The f_t, t <= s, are the same. Whoever is in a class ties with its other members for the largest score on an
// open set, so where the selector is continuous their values agree there, and the value of the class is that of its
// name; elsewhere but in stage s, where classes are the same on both sides, it has no other members. On h the scores of
// w and r are equal and hence, if s < m-1, their values: f_{s+1} and f'_{s+1} agree on h. If f_t and f'_t agree on h
// for s < t < m-1, so do scores and values of stage t; winners have the same names; so f_{t+1} and f'_{t+1} agree on h.
// The closure of C is where score_w - score_i >= 0 for all selectors and candidates i, and these forms agree on h for C
// and C', those against r or w being zero there. On C the difference of the scores of w and r is positive, on C'
// negative, so they lie on opposite sides. Cells on one side of h have disjoint interiors, hence facets on h that do
// not overlap. QED. Lemma 2 holds for cells that differ in several selectors of stages s.., if all pairs that differ
// are continuous (those of stage m-1 always count as such), tie on h, and the classes are as demanded of g: by the same
// proof. Call two cells *fitting* at s if stages before s are the same and these conditions hold.
//
// **Lemma 3 (complete).** Let C have a facet F of stage s, and let C' be the only cell beyond F and fit C at s. Then
// stepping (``path.hpp``) from C finds C', and from C' it finds C. *Proof.* Stepping follows the maps on both sides,
// which agree on h up to the last stage, as in Lemma 2. QED. A flip that is found and fits is the neighbour, by Lemma
// 2; so flips are tried first. What is found from one side is found from the other, so that facets that are *left*
// after this, of the cells in K on one side and in K' on the other, cover the same part of h. They are compared:
// - If one side has one facet only, all of the other are parts of it.
// - A wall, if a point inside one facet is strictly inside all other rows of the other cell; none, if a row of one cell
// is
//   negative at all generators of the other's facet: both by floats with their errors.
// - Otherwise an exact linear program within h.
// Shapes for that are made by visiting the tree once more, only where something is left.
//
// Regions need only the walls between cells with equal maps: others are not looked for.
#pragma once

#include <functional>

#include "maps.hpp"
#include "shapes.hpp"

namespace exactgeo {

// A wall of two cells, first < second, on the facet of the first where it loses to this class, named by its lowest
// candidate.
struct Wall {
    CellNumber first, second;
    std::uint32_t loser;
};

struct Complex {
    std::vector<Wall> walls;  // by first, then second; those that were asked for
    MapClasses maps;
    std::vector<CellNumber> region;  // of each cell
    CellNumber regions = 0;
};

// The shapes of some cells.
using ShapeMaker = std::function<Shapes(const std::vector<CellNumber>&)>;

// All walls, or only those between cells with equal maps. Not complete if the work is stopped.
Complex find_complex(const Network& network, const Layout& layout, const Continuity& continuity, const Faults& faults,
                     const Gathered& cells, bool all, const ShapeMaker& shapes, const Work& work, Tally& tally);

}  // namespace exactgeo
