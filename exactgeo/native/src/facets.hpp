// The facets of a cone among the rows that cut it.
//
// Let F_i be the members that are tight on slot i. A face of the cone is the hull of its rays, and each slot's row
// gives one. Every facet is the face of some slot, and proper faces lie in facets: so slot i is a facet just if F_i is
// in no other F_j. No two slots have the same facet, hence the same hyperplane: a row is given a slot because it cuts
// the interior of a cone that lies on one side of all rows before it. What need not be looked at are slots that are
// tight nowhere; lines lie in all faces alike.
#pragma once

#include <vector>

#include "cone.hpp"

namespace exactgeo {

template <int D>
class Facets {
public:
    using Word = std::uint64_t;

    // Slots, ascending; that of the row at infinity may be among them.
    const std::vector<int>& of(Cones<D>& cones, const Part& part) {
        const int words = cones.tight_words();
        common_.assign(static_cast<std::size_t>(64 * words * words), ~Word{0});
        for (int i = 0; i < part.count; ++i) {
            const Word* tight = cones.tight(cones.member(part, i));
            for (int w = 0; w < words; ++w)
                for (Word bits = tight[w]; bits != 0; bits &= bits - 1) {
                    Word* common = common_.data() + static_cast<std::ptrdiff_t>(64 * w + __builtin_ctzll(bits)) * words;
                    for (int v = 0; v < words; ++v) common[v] &= tight[v];
                }
        }
        // What every ray of F_i is tight on is i alone. (A slot that is tight nowhere has all bits left.)
        found_.clear();
        for (int slot = 0; slot < 64 * words; ++slot) {
            const Word* common = common_.data() + static_cast<std::ptrdiff_t>(slot) * words;
            bool alone = true;
            for (int v = 0; v < words; ++v)
                alone = alone && common[v] == (v == slot >> 6 ? Word{1} << (slot & 63) : Word{0});
            if (alone) found_.push_back(slot);
        }
        return found_;
    }

private:
    std::vector<Word> common_;
    std::vector<int> found_;
};

}  // namespace exactgeo
