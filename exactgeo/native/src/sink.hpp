// Whoever wants more of the tree on generators than the number of its cells: lists, maps and walls, proofs.
//
// The tree visits its nodes depth first. It tells of a node, in this order: that a stage begins there; which selectors
// have become settled; then either that it is a cell of all stages, or by which selector and into which classes it is
// branched (they are visited next, in this order), or nothing, where the next stage begins on the same part at once.
// All that is told is a function of the path from the root alone. Levels up to the current one are those of the path.
#pragma once

#include <utility>
#include <vector>

#include "cone.hpp"
#include "level.hpp"

namespace exactgeo {

template <int D>
class Sink {
public:
    // Where the tree keeps what it has: good while it visits a node.
    struct Place {
        Levels& levels;
        Vectors<D>& vectors;
        Cones<D>& cones;
    };

    Sink() = default;
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    virtual ~Sink() = default;

    // Stage s begins on this part, a cell of the stages before.
    virtual void stage(Place, int /*s*/, const Part&) {}
    // On this part these selectors of stage s, which have three classes or two, have these winners.
    virtual void settled(Place, int /*s*/, const Part&, const std::vector<std::pair<int, int>>& /*winners*/) {}
    // It is branched on selector g of stage s, into these classes, ascending; all others win nowhere on it.
    virtual void branch(Place, int /*s*/, const Part&, int /*g*/, const std::vector<int>& /*classes*/) {}
    // Of a part without lines that one open selector with two classes, of the last stage, cuts into two cells: whether
    // these are told of by ``half`` instead. They are not made then.
    [[nodiscard]] virtual bool takes_halves() const { return false; }
    // The cell where this class wins selector g; first class 0, then class 1. Marks say where the part is cut.
    virtual void half(Place, int /*s*/, const Part& /*whole*/, int /*g*/, int /*winner*/) {}
    // It is a cell of all stages, whose winners are in the levels.
    virtual void cell(Place, const Part&) {}
};

}  // namespace exactgeo
