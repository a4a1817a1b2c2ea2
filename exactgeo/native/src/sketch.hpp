// Two ways to compare the maps of cells before integers do.
//
// **Needed choices.** The output is made of values of the last stage that have a nonzero weight in it; these are made
// of terms of the stage before that have a nonzero weight in them, and so on back. Of the selectors that are met on the
// way the winners' names are the *choices* of a cell; other fields of the pattern are cleared. Cells with equal choices
// have equal maps: from the last stage to the first, they need the same terms and make them of the same forms. (A class
// of several candidates has the value of its name, as its selector is continuous: where it is not, nobody may ask.)
//
// **Residues.** The map modulo the prime P = 2^61 - 1, composed from residues of weights as the map is from weights,
// means by inverses of their numbers of members. Equal maps have equal residues, as all maps have the same factor; so
// different residues prove that maps differ. Equal ones prove nothing.
#pragma once

#include "path.hpp"

namespace exactgeo {

class Choices {
public:
    Choices(const Network& network, const Layout& layout);
    // The pattern without what the map does not need.
    void of(const Word* pattern, Word* choices);

private:
    using Bits = std::vector<Word>;
    static void meet(Bits& bits, int k) { bits[static_cast<std::size_t>(k >> 6)] |= Word{1} << (k & 63); }
    static bool has(const Bits& bits, int k) { return (bits[static_cast<std::size_t>(k >> 6)] >> (k & 63) & 1) != 0; }
    void need(int s, int form);

    const Network& network_;
    const Layout& layout_;
    std::vector<std::vector<Bits>> support_;  // of each form of each stage but the first: the terms it is made of
    std::vector<Bits> needed_;                // of each stage the terms after it
};

class Residues {
public:
    explicit Residues(const Network& network);
    // A number that depends on the map alone, for the cell where the path has gone last; ask of each.
    Word of(const Path& path, int depth);

private:
    struct Stage_ {
        std::vector<Word> weights, forms, terms;
        std::vector<std::uint8_t> made;
    };
    const Word* form(int s, int form);

    const Network& network_;
    std::size_t width_;
    std::vector<Stage_> stages_;
    std::vector<Word> inverse_;
    bool begun_ = false;
};

}  // namespace exactgeo
