// Levels along the pattern of any cell, made again; and the pattern beyond one of its facets.
//
// *Stepping.* Let C be a cell with a facet F on the hyperplane h = 0, a row of stage s, h > 0 on C. Let f_t be the map
// before stage t on C, continued affinely. Beyond F, close to its relative interior, the stages before s have the same
// winners. Suppose that up to stage t the maps on both sides agree on h (so it is for t = s). Then so do the scores of
// stage t: the classes that tie with the winner w on F are those whose difference from it is a multiple of h, and
// beyond F the steepest of these wins. If the values of the classes that win on either side agree where these tie, the
// maps agree on h up to stage t + 1. So stage by stage the neighbour's pattern follows, whatever hyperplanes coincide.
#pragma once

#include "level.hpp"
#include "patterns.hpp"

namespace exactgeo {

class Path {
public:
    Path(const Network& network, const Layout& layout, const Faults& faults);

    // Goes to the cell with this pattern: levels 0..last are those of its parents, their winners but for the last one
    // too. Levels that the path has in common with the one before are kept.
    void go(const Word* pattern, int last);
    // After ``go(pattern, s)``: the exact row of the facet where the cell's class loses to this one.
    void row(const Word* pattern, std::uint32_t loser, Int* row);
    // The pattern beyond that facet for stages s..last, into ``beyond``, which begins as a copy of the cell's.
    void step(const Word* pattern, std::uint32_t loser, int last, Word* beyond);

    Levels levels;
    int kept = 0;  // by the last ``go``: up to this one levels have remained

private:
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    int form(std::uint32_t candidate) const;
    int class_of(int s, int g, int name) const;
    bool multiple(int s, int form_a, int form_b, const Int* plane, const double* v, double er);

    const Layout& layout_;
    std::vector<Word> now_;
    int ready_ = -1;  // the last level that has begun
    std::vector<double> sums_, other_;
    IntVector plane_, difference_;
    Int one_, two_, best_;
};

}  // namespace exactgeo
