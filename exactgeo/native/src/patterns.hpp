// Patterns of cells in bits, and tables that find cells by them.
//
// A selector with n candidates has a field of as many bits as n - 1 needs, inside one word; a pattern has there the
// lowest candidate of the class that wins. So a pattern says which cell is meant whatever the classes are elsewhere,
// and its first fields are those of the first stages. Candidates are numbered through all stages, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stages.hpp"

namespace exactgeo {

using Word = std::uint64_t;
using CellNumber = std::uint32_t;
constexpr CellNumber no_cell = ~CellNumber{0};

class Layout {
public:
    explicit Layout(const Network& network) : depth(network.depth()) {
        int bit = 0, candidates = 0;
        for (int s = 0; s < depth; ++s) {
            const Stage& stage = network.stages[at(s)];
            first_selector.push_back(static_cast<int>(fields_.size()));
            first_candidate.push_back(candidates);
            for (int g = 0; g < stage.selectors(); ++g) {
                int width = 0;
                const int size = stage.first[at(g + 1)] - stage.first[at(g)];
                while (1 << width < size) ++width;
                if (bit % 64 + width > 64) bit += 64 - bit % 64;
                fields_.push_back({bit, (Word{1} << width) - 1, candidates, s});
                selector_of_.resize(at(candidates + size), static_cast<int>(fields_.size()) - 1);
                candidates += size;
                bit += width;
            }
            end_.push_back(bit);
        }
        words = (bit + 63) / 64;
    }

    int depth, words;
    std::vector<int> first_selector, first_candidate;  // of each stage, among all

    [[nodiscard]] int selectors() const { return static_cast<int>(fields_.size()); }
    [[nodiscard]] int selector_of(std::uint32_t candidate) const { return selector_of_[candidate]; }
    [[nodiscard]] int stage_of(int selector) const { return fields_[at(selector)].stage; }
    // The candidate of a selector in a pattern, among those of the selector; among all.
    [[nodiscard]] int name(const Word* pattern, int selector) const {
        const Field& field = fields_[at(selector)];
        return field.mask == 0 ? 0 : static_cast<int>(pattern[field.bit >> 6] >> (field.bit & 63) & field.mask);
    }
    [[nodiscard]] std::uint32_t candidate(const Word* pattern, int selector) const {
        return static_cast<std::uint32_t>(fields_[at(selector)].candidate + name(pattern, selector));
    }
    void set(Word* pattern, std::uint32_t candidate) const {
        const Field& field = fields_[at(selector_of_[candidate])];
        if (field.mask == 0) return;
        Word& word = pattern[field.bit >> 6];
        const Word value = static_cast<Word>(candidate) - static_cast<Word>(field.candidate);
        word = (word & ~(field.mask << (field.bit & 63))) | value << (field.bit & 63);
    }
    // The number of a candidate within its selector.
    [[nodiscard]] int name_of(std::uint32_t candidate) const {
        return static_cast<int>(candidate) - fields_[at(selector_of(candidate))].candidate;
    }
    // How many words the fields of stages 0..s reach into, and which bits of the last one they are.
    [[nodiscard]] int words_to(int s) const { return (end_[at(s)] + 63) / 64; }
    [[nodiscard]] Word mask_to(int s) const {
        return end_[at(s)] % 64 == 0 ? ~Word{0} : (Word{1} << end_[at(s)] % 64) - 1;
    }

private:
    struct Field {
        int bit;
        Word mask;
        int candidate, stage;
    };
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    std::vector<Field> fields_;
    std::vector<int> selector_of_, end_;
};

// Cells by the first bits of their patterns: the first cell of those that agree there.
class Table {
public:
    // Of ``stride`` words a pattern, those that count, with a mask on the last one.
    Table(const std::vector<Word>& patterns, int stride, int words, Word mask)
        : patterns_(patterns.data()), stride_(stride), words_(words), mask_(mask) {
        const std::size_t cells = stride == 0 ? 1 : patterns.size() / static_cast<std::size_t>(stride);
        std::size_t size = 16;
        while (size < 2 * cells) size *= 2;
        slots_.assign(size, no_cell);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const Word* pattern = patterns_ + cell * static_cast<std::size_t>(stride_);
            if (cell > 0 && same(pattern - stride_, pattern)) continue;  // often: they come in the order of the tree
            CellNumber& slot = slots_[place(pattern)];
            if (slot == no_cell) slot = static_cast<CellNumber>(cell);
        }
    }
    [[nodiscard]] CellNumber find(const Word* pattern) const { return slots_[place(pattern)]; }

private:
    [[nodiscard]] bool same(const Word* a, const Word* b) const {
        for (int w = 0; w + 1 < words_; ++w)
            if (a[w] != b[w]) return false;
        return words_ == 0 || ((a[words_ - 1] ^ b[words_ - 1]) & mask_) == 0;
    }
    [[nodiscard]] std::size_t place(const Word* pattern) const {
        Word hash = 0;
        for (int w = 0; w < words_; ++w) {  // splitmix64
            hash += 0x9e3779b97f4a7c15 + (w + 1 == words_ ? pattern[w] & mask_ : pattern[w]);
            hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
            hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
            hash ^= hash >> 31;
        }
        std::size_t k = hash & (slots_.size() - 1);
        while (slots_[k] != no_cell &&
               !same(patterns_ + static_cast<std::size_t>(slots_[k]) * static_cast<std::size_t>(stride_), pattern))
            k = (k + 1) & (slots_.size() - 1);
        return k;
    }

    const Word* patterns_;
    int stride_, words_;
    Word mask_;
    std::vector<CellNumber> slots_;
};

}  // namespace exactgeo
