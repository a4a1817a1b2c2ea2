// Whoever wants more of the tree on generators than the number of its cells: lists, maps and walls, proofs.
//
// The tree visits its nodes depth first. It tells of a node, in this order: that a stage begins there; which selectors
// have become settled; then either that it is a cell of all stages, or by which selector and into which classes it is
// branched (they are visited next, in this order), or nothing, where the next stage begins on the same part at once.
// All that is told is a function of the path from the root alone. Levels up to the current one are those of the path.
//
// Each worker has a tree and a sink of its own, and gets one task after another (``work.hpp``). Before a task the tree
// walks down to it, and tells again what was told where the task was given away, so that a sink may know the path:
// ``again`` is true then. What a sink gathers without it is a stretch of what a single worker's sink would gather, from
// the first ``stage``, ``settled``, ``branch`` or ``cell`` to ``close``; it hands it over by ``Work::put``, as often as
// it likes and at last in ``close``. The chunks of all sinks are written in the order of the tree, so that all bytes
// are those of a single worker if chunks are made to be joined: numbers that count from the beginning of the work,
// or join what was given away to the branching above, are for ``Chunk::write`` to find.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cone.hpp"
#include "level.hpp"

namespace exactgeo {

template <int D>
class Longs;

template <int D>
class Sink {
public:
    // Where the tree keeps what it has: good while it visits a node.
    struct Place {
        Levels& levels;
        Vectors<D>& vectors;
        Cones<D>& cones;
        Longs<D>& longs;
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
    // Before a branch on selector g, told of classes that are tried in vain: where a part is cut down to what class w
    // may win, its score is nowhere larger than that of a rival.
    virtual void beaten(Place, int /*s*/, const Part&, int /*g*/, int /*w*/, int /*rival*/) {}
    // Of a part without lines that one open selector with two classes, of the last stage, cuts into two cells: whether
    // these are told of by ``half`` instead. They are not made then.
    [[nodiscard]] virtual bool takes_halves() const { return false; }
    // The cell where this class wins selector g; first class 0, then class 1. Marks say where the part is cut.
    virtual void half(Place, int /*s*/, const Part& /*whole*/, int /*g*/, int /*winner*/) {}
    // It is a cell of all stages, whose winners are in the levels.
    virtual void cell(Place, const Part&) {}
    // The task is done, or the work has been stopped.
    virtual void close() {}
    // How many bytes it has gathered and not handed over.
    [[nodiscard]] virtual std::size_t bytes() const { return 0; }

    bool again = false;
};

}  // namespace exactgeo
