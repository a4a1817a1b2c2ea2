// Which pairs of candidates have values that agree wherever they tie for the largest score.
//
// Candidates i and j of a selector are a *continuous pair* if each entry of value_i - value_j is a multiple of score_i
// - score_j as a form, or if they never tie for the largest score, since 2 score_k - score_i - score_j is a positive
// constant for some k. ReLU, leaky, abs, maxout have continuous pairs only, hard tanh thanks to the second condition;
// attention has few. Both are checked on the network's own forms, in integers.
#pragma once

#include "patterns.hpp"

namespace exactgeo {

class Continuity {
public:
    Continuity(const Network& network, const Layout& layout);

    // Selectors of the last stage count as continuous: nothing comes after them.
    [[nodiscard]] bool whole(int selector) const { return kind_[static_cast<std::size_t>(selector)] == Kind::whole; }
    [[nodiscard]] bool nowhere(int selector) const {
        return kind_[static_cast<std::size_t>(selector)] == Kind::nowhere;
    }
    // The same without this exception.
    [[nodiscard]] bool truly(int selector) const { return truly_[static_cast<std::size_t>(selector)] != 0; }
    // Of two different candidates of one selector, numbered within it.
    [[nodiscard]] bool pair(int selector, int i, int j) const {
        if (kind_[static_cast<std::size_t>(selector)] != Kind::some) return whole(selector);
        const Pairs& pairs = pairs_[static_cast<std::size_t>(selector)];
        return pairs.at[static_cast<std::size_t>(i * pairs.size + j)] != 0;
    }

private:
    static constexpr int most = 64;  // candidates; of longer selectors no pair counts as continuous
    enum class Kind : std::uint8_t { whole, some, nowhere };
    struct Pairs {
        int size = 0;
        std::vector<std::uint8_t> at;
    };
    std::vector<Kind> kind_;
    std::vector<Pairs> pairs_;
    std::vector<std::uint8_t> truly_;
};

}  // namespace exactgeo
