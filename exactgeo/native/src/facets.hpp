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
        used_ = cones.used(part);
        common_.resize(static_cast<std::size_t>(64 * words * words));
        const auto common = [&](int slot) { return common_.data() + static_cast<std::ptrdiff_t>(slot) * words; };
        const auto each = [&](const Word* tight, const auto& visit) {
            for (int w = 0; w < words; ++w)
                for (Word bits = tight[w]; bits != 0; bits &= bits - 1) visit(64 * w + __builtin_ctzll(bits));
        };
        // What every ray of F_i is tight on.
        each(used_.data(), [&](int slot) { std::fill_n(common(slot), words, ~Word{0}); });
        for (int i = 0; i < part.count; ++i) {
            const Word* tight = cones.tight(cones.member(part, i));
            each(tight, [&](int slot) {
                for (int w = 0; w < words; ++w) common(slot)[w] &= tight[w];
            });
        }
        found_.clear();
        each(used_.data(), [&](int slot) {
            bool alone = true;
            for (int w = 0; w < words; ++w)
                alone = alone && common(slot)[w] == (w == slot >> 6 ? Word{1} << (slot & 63) : Word{0});
            if (alone) found_.push_back(slot);
        });
        return found_;
    }

private:
    std::vector<Word> used_, common_;
    std::vector<int> found_;
};

}  // namespace exactgeo
