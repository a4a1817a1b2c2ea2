// Members of a node: its rays, on which rows each is tight, and who wins there. Cutting by a row.
//
// A node of the split tree is a full-dimensional cone, kept as in ``exactgeo/polyhedron/cone.py`` by its extreme rays
// and lines, and cut by one step of the double description method. A *member* is a record of words:
//
//     ray | tight: one bit for each slot | ge | le: two bits for each selector | for each long selector a mark
//
// *Slots*: a node's table says which row, or negative of a row, each slot holds. A slot is free when its row is tight
// on no member: the row is then positive on all of the node, and on all of its parts. While there are lines every row
// vanishes on them and no slot is free. There are as many words of slots as needed.
// *ge, le*: for a selector with two classes whether the gap, second minus first score, is >= 0, <= 0 at the ray; both
// where it vanishes; neither where it is not known yet.
// *Marks* of long selectors, those with three classes or more: a class with the largest score, and whether it may not
// be the only one; or that nothing is known yet.
//
// A crossing of two rays has the AND of what is known at both: the maximum of affine forms is convex, so a common
// winner wins in between, and whoever loses at an end loses there.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "vectors.hpp"

namespace exactgeo {

struct Mark {
    static constexpr std::uint32_t unknown = ~0U;
    static std::uint32_t of(int winner, bool tied) {
        return static_cast<std::uint32_t>(winner) << 1 | (tied ? 1U : 0U);
    }
    static int winner(std::uint32_t mark) { return static_cast<int>(mark >> 1); }
    static bool tied(std::uint32_t mark) { return (mark & 1) != 0; }
    // What is known between two rays.
    static std::uint32_t between(std::uint32_t a, std::uint32_t b) {
        if (a == unknown || b == unknown || a >> 1 != b >> 1) return unknown;
        return a & b;
    }
};

// A cone: members and slots by their places in the pools, lines likewise.
struct Part {
    std::int64_t members = 0;
    int count = 0;
    std::int64_t slots = 0;
    std::int64_t lines = 0;
    int line_count = 0;
};

template <int D>
class Cones {
public:
    using Word = std::uint64_t;
    static constexpr int empty = std::numeric_limits<int>::min();

    Cones(Vectors<D>& vectors, int mark_words, int longs)
        : vectors_(vectors), mark_words_(mark_words), long_words_((longs + 1) / 2) {}

    [[nodiscard]] int ray(const Word* member) const { return static_cast<int>(member[0]); }
    Word* tight(Word* member) const { return member + 1; }
    Word* ge(Word* member) const { return member + 1 + tight_words_; }
    Word* le(Word* member) const { return ge(member) + mark_words_; }
    std::uint32_t* marks(Word* member) const { return reinterpret_cast<std::uint32_t*>(le(member) + mark_words_); }
    Word* member(const Part& part, int i) { return members_.data() + (part.members + i) * stride(); }
    int* slots(const Part& part) { return slots_.data() + part.slots * 64 * tight_words_; }
    int line(const Part& part, int i) { return lines_[static_cast<std::size_t>(part.lines + i)]; }
    [[nodiscard]] int slot_count() const { return 64 * tight_words_; }
    [[nodiscard]] int tight_words() const { return tight_words_; }

    // Where the pools end: what is beyond is free.
    struct Ends {
        std::int64_t members = 0, slots = 0, lines = 0;
        int rows = 0, rays = 0;
    };
    [[nodiscard]] Ends ends() const { return {member_end_, slot_end_, line_end_, vectors_.rows(), vectors_.rays()}; }
    void release(const Ends& ends) {
        member_end_ = ends.members;
        slot_end_ = ends.slots;
        line_end_ = ends.lines;
        vectors_.keep(ends.rows, ends.rays);
    }

    // Of the pools.
    [[nodiscard]] std::size_t bytes() const {
        return members_.capacity() * sizeof(Word) + (slots_.capacity() + lines_.capacity()) * sizeof(int);
    }

    // All of R^d, with the row at infinity in slot 0.
    Part space() {
        Part part;
        part.slots = new_slots(-1);
        slots(part)[0] = vectors_.add_domain_row(-1);
        part.members = new_members(1);
        part.count = 1;
        IntVector unit(D);
        for (int k = 0; k < D; ++k) {
            for (int c = 0; c < D; ++c) unit[static_cast<std::size_t>(c)] = c == k ? 1 : 0;
            const int ray = vectors_.add_given(unit.data());
            if (k == 0)
                clear(member(part, 0), ray);
            else
                add_line(ray);
        }
        part.line_count = D - 1;
        return part;
    }

    // A copy, with its own table of slots.
    Part copy(const Part& part) {
        Part own = part;
        own.members = new_members(part.count);
        std::copy_n(member(part, 0), static_cast<std::ptrdiff_t>(part.count) * stride(), member(own, 0));
        own.slots = new_slots(part.slots);
        return own;
    }
    // Moves the members of a part down to where others, no longer needed, began.
    void move_down(Part& part, std::int64_t to) {
        Word* from = member(part, 0);
        part.members = to;
        std::memmove(member(part, 0), from,
                     static_cast<std::size_t>(part.count) * static_cast<std::size_t>(stride()) * 8);
        member_end_ = to + part.count;
    }

    // Cuts by a row that has no sign on lines, ``signs`` being its signs on the members, of both kinds.
    // The part where it is >= 0 and, unless null, the part where it is <= 0. The table of ``part`` goes to the first.
    // ``selector``: a selector whose two classes tie on the row, or -1. Returns how many members are new: the first
    // ones.
    int cut(const Part& part, int row, const std::vector<Sign>& signs, int selector, Part& above, Part* below) {
        const int slot = free_slot(part);
        const int least = D - part.line_count - 2;
        find_edges(part, signs, least);
        const auto some = [&](Sign sign) { return std::find(signs.begin(), signs.end(), sign) != signs.end(); };
        if (!some(Sign::positive) || !some(Sign::negative)) throw Inconsistent("a row that cuts has no two sides");
        above = part;
        above.members = new_members(part.count);
        if (below != nullptr) below->slots = new_slots(part.slots);
        slots(above)[slot] = row;
        new_members(static_cast<int>(edges_.size()));
        const int found = static_cast<int>(edges_.size());
        for (int n = 0; n < found; ++n) {
            Word *mi = member(part, edges_[at(n)].first), *mj = member(part, edges_[at(n)].second);
            const int ray =
                part.line_count > 0 ? interpolated(row, this->ray(mi), this->ray(mj)) : crossed(part, row, mi, mj);
            Word* crossing = member(above, n);
            crossing[0] = static_cast<Word>(ray);
            const std::int64_t known = 1 + tight_words_ + 2 * mark_words_;
            for (std::int64_t w = 1; w < known; ++w) crossing[w] = mi[w] & mj[w];
            for (int k = 0; k < 2 * long_words_; ++k) marks(crossing)[k] = Mark::between(marks(mi)[k], marks(mj)[k]);
            tight(crossing)[slot >> 6] |= Word{1} << (slot & 63);
            if (selector >= 0) {
                ge(crossing)[selector >> 6] |= Word{1} << (selector & 63);
                le(crossing)[selector >> 6] |= Word{1} << (selector & 63);
            }
        }
        above.count = found + keep_side(part, signs, Sign::negative, slot, above.members + found);
        member_end_ = above.members + above.count;
        check_size(above);
        if (below != nullptr) {
            const std::int64_t table = below->slots;
            *below = part;
            below->slots = table;
            below->members = new_members(found + part.count);
            slots(*below)[slot] = ~row;
            // The crossings are copied by ``share`` once they are complete.
            below->count = found + keep_side(part, signs, Sign::positive, slot, below->members + found);
            member_end_ = below->members + below->count;
            check_size(*below);
        }
        return found;
    }
    // The first ``found`` members of one part are those of the other.
    void share(const Part& above, const Part& below, int found) {
        std::copy_n(member(above, 0), static_cast<std::ptrdiff_t>(found) * stride(), member(below, 0));
    }

    // Cuts by a row that is not zero on line ``number``: every other generator slides along it. No marks are known.
    void across(const Part& part, int row, int number, Part& above, Part* below) {
        const int slot = free_slot(part);
        const int direction = line(part, number);
        line_.assign(vectors_.exact_ray(direction), vectors_.exact_ray(direction) + D);
        const Int* exact = vectors_.exact_row(row);
        dot(exact, line_.data(), D, slope_);
        if (row < 0) slope_.negate();
        if (slope_.sign() < 0) {
            slope_.negate();
            for (Int& x : line_) x.negate();
        }
        above = part;
        above.lines = line_end_;
        above.line_count = 0;
        for (int i = 0; i < part.line_count; ++i)
            if (i != number) {
                add_line(slid(row, line(part, i)));
                ++above.line_count;
            }
        above.members = new_members(part.count + 1);
        above.count = part.count + 1;
        if (below != nullptr) {
            *below = above;
            below->slots = new_slots(part.slots);
            slots(*below)[slot] = ~row;
            below->members = new_members(part.count + 1);
        }
        slots(above)[slot] = row;
        for (int i = 0; i < part.count; ++i) {
            Word* to = member(above, i);
            clear(to, slid(row, ray(member(part, i))));
            std::copy_n(tight(member(part, i)), tight_words_, tight(to));
            tight(to)[slot >> 6] |= Word{1} << (slot & 63);
            if (below != nullptr) std::copy_n(to, stride(), member(*below, i));
        }
        const auto end = [&](const Part& side) {
            Word* to = member(side, part.count);
            clear(to, vectors_.add_given(line_.data()));
            for (int k = 0; k < slot_count(); ++k)
                if (k != slot && slots(side)[k] != empty) tight(to)[k >> 6] |= Word{1} << (k & 63);
        };
        end(above);
        if (below == nullptr) return;
        for (Int& x : line_) x.negate();
        end(*below);
    }

    // The slots whose rows are tight on some member, as words.
    const std::vector<Word>& used(const Part& part) {
        used_.assign(static_cast<std::size_t>(tight_words_), 0);
        for (int i = 0; i < part.count; ++i)
            for (int w = 0; w < tight_words_; ++w) used_[static_cast<std::size_t>(w)] |= tight(member(part, i))[w];
        return used_;
    }

private:
    static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] std::int64_t stride() const { return 1 + tight_words_ + 2 * mark_words_ + long_words_; }

    // What has an interior has so many rays.
    static void check_size(const Part& part) {
        if (part.count + part.line_count < D) throw Inconsistent("a part has no interior");
    }
    void clear(Word* to, int ray) const {
        std::fill_n(to, stride(), Word{0});
        to[0] = static_cast<Word>(ray);
        std::fill_n(marks(to), 2 * long_words_, Mark::unknown);
    }
    template <class T>
    static void ensure(std::vector<T>& pool, std::int64_t size) {
        if (pool.size() < static_cast<std::size_t>(size)) pool.resize(static_cast<std::size_t>(2 * size));
    }
    std::int64_t new_members(int count) {
        const std::int64_t first = member_end_;
        member_end_ += count;
        ensure(members_, member_end_ * stride());
        return first;
    }
    std::int64_t new_slots(std::int64_t from) {
        const std::int64_t table = slot_end_++, size = slot_count();
        ensure(slots_, slot_end_ * size);
        if (from >= 0)
            std::copy_n(slots_.data() + from * size, size, slots_.data() + table * size);
        else
            std::fill_n(slots_.data() + table * size, size, empty);
        return table;
    }
    void add_line(int ray) {
        ensure(lines_, line_end_ + 1);
        lines_[static_cast<std::size_t>(line_end_++)] = ray;
    }

    int free_slot(const Part& part) {
        if (part.line_count == 0) {
            used(part);
            for (int w = 0; w < tight_words_; ++w)
                if (~used_[static_cast<std::size_t>(w)] != 0)
                    return 64 * w + __builtin_ctzll(~used_[static_cast<std::size_t>(w)]);
        } else {
            for (int k = 0; k < slot_count(); ++k)
                if (slots(part)[k] == empty) return k;
        }
        const int slot = slot_count();
        widen();
        return slot;
    }
    // One more word of slots, in all records and tables.
    void widen() {
        const std::int64_t before = stride(), old = tight_words_;
        std::vector<Word> members(static_cast<std::size_t>((before + 1) * (member_end_ + 1)), 0);
        for (std::int64_t m = 0; m < member_end_; ++m) {
            const Word* from = members_.data() + m * before;
            Word* to = members.data() + m * (before + 1);
            std::copy_n(from, 1 + old, to);
            std::copy_n(from + 1 + old, before - 1 - old, to + 2 + old);
        }
        std::vector<int> slots(static_cast<std::size_t>(64 * (old + 1) * (slot_end_ + 1)), empty);
        for (std::int64_t t = 0; t < slot_end_; ++t)
            std::copy_n(slots_.data() + t * 64 * old, 64 * old, slots.data() + t * 64 * (old + 1));
        members_.swap(members);
        slots_.swap(slots);
        ++tight_words_;
    }

    // The pairs of adjacent members on which a row is positive, and negative. Two rays are adjacent iff no third one is
    // tight wherever both are. A *simple* ray, tight on as few rows as a ray can be, is adjacent to all that share
    // these rows but one: an AND of sets of members, those on a row, as bits.
    void find_edges(const Part& part, const std::vector<Sign>& signs, int least) {
        edges_.clear();
        for (int first = 0; first < part.count; first += 64) {
            Word all = 0;
            on_slot_.assign(at(slot_count()), 0);
            for (int j = first; j < std::min(first + 64, part.count); ++j) {
                if (signs[at(j)] != Sign::negative) continue;
                const Word bit = Word{1} << (j - first);
                all |= bit;
                for_tight(tight(member(part, j)), [&](int k) { on_slot_[at(k)] |= bit; });
            }
            for (int i = 0; i < part.count && all != 0; ++i) {
                if (signs[at(i)] != Sign::positive) continue;
                Word on[D];
                int size = 0;
                for_tight(tight(member(part, i)), [&](int k) { on[size < D ? size++ : D - 1] = on_slot_[at(k)]; });
                for (int without = 0; without < size && size == least + 1; ++without) {
                    Word bits = all;
                    for (int k = 0; k < size; ++k)
                        if (k != without) bits &= on[k];
                    for (; bits != 0; bits &= bits - 1) edges_.emplace_back(i, first + __builtin_ctzll(bits));
                }
                for (Word bits = size == least + 1 ? 0 : all; bits != 0; bits &= bits - 1) {
                    const int j = first + __builtin_ctzll(bits);
                    if (adjacent(part, i, j, least)) edges_.emplace_back(i, j);
                }
            }
        }
    }
    bool adjacent(const Part& part, int i, int j, int least) {
        const Word *ti = tight(member(part, i)), *tj = tight(member(part, j));
        int common = 0;
        for (int w = 0; w < tight_words_; ++w)
            for (Word bits = ti[w] & tj[w]; bits != 0; bits &= bits - 1) ++common;
        if (common < least) return false;
        for (int k = 0; k < part.count; ++k) {
            if (k == i || k == j) continue;
            const Word* tk = tight(member(part, k));
            bool contains = true;
            for (int w = 0; w < tight_words_ && contains; ++w) contains = (ti[w] & tj[w] & ~tk[w]) == 0;
            if (contains) return false;
        }
        return true;
    }
    template <class Then>
    void for_tight(const Word* words, const Then& then) const {
        for (int w = 0; w < tight_words_; ++w)
            for (Word bits = words[w]; bits != 0; bits &= bits - 1) then(64 * w + __builtin_ctzll(bits));
    }
    int keep_side(const Part& part, const std::vector<Sign>& signs, Sign dropped, int slot, std::int64_t to) {
        int kept = 0;
        for (int i = 0; i < part.count; ++i) {
            const Sign sign = signs[static_cast<std::size_t>(i)];
            if (sign == dropped) continue;
            Word* record = members_.data() + (to + kept++) * stride();
            std::copy_n(member(part, i), stride(), record);
            const Word bit = Word{1} << (slot & 63);
            Word& word = tight(record)[slot >> 6];
            word = sign == Sign::zero ? word | bit : word & ~bit;
        }
        return kept;
    }
    int crossed(const Part& part, int row, Word* mi, Word* mj) {
        const int* table = slots(part);
        common_.clear();
        apart_.clear();
        for (int w = 0; w < tight_words_; ++w) {
            for (Word bits = tight(mi)[w] & tight(mj)[w]; bits != 0; bits &= bits - 1)
                common_.push_back(table[64 * w + __builtin_ctzll(bits)]);
            for (Word bits = tight(mi)[w] ^ tight(mj)[w]; bits != 0; bits &= bits - 1)
                apart_.push_back(table[64 * w + __builtin_ctzll(bits)]);
        }
        return vectors_.add_crossing(common_.data(), static_cast<int>(common_.size()), row, apart_.data(),
                                     static_cast<int>(apart_.size()));
    }
    // Between two rays, exactly.
    int interpolated(int row, int i, int j) {
        const Int *exact = vectors_.exact_row(row), *xi = vectors_.exact_ray(i), *xj = vectors_.exact_ray(j);
        dot(exact, xi, D, slope_);
        dot(exact, xj, D, value_);
        // Of opposite signs: x = |value_j| x_i + |value_i| x_j.
        if (slope_.sign() < 0) slope_.negate();
        if (value_.sign() < 0) value_.negate();
        IntVector x(D);
        for (std::size_t c = 0; c < D; ++c) {
            x[c].set_product(value_, xi[c]);
            x[c].add_product(slope_, xj[c]);
        }
        return vectors_.add_given(x.data());
    }
    // slope x - value line, for a ray or a line x.
    int slid(int row, int ray) {
        const Int *exact = vectors_.exact_row(row), *from = vectors_.exact_ray(ray);
        dot(exact, from, D, value_);
        if (row < 0) value_.negate();
        IntVector x(D);
        for (std::size_t c = 0; c < D; ++c) {
            x[c].set_product(slope_, from[c]);
            x[c].subtract_product(value_, line_[c]);
        }
        return vectors_.add_given(x.data());
    }

    Vectors<D>& vectors_;
    int tight_words_ = 1, mark_words_, long_words_;
    std::vector<Word> members_;
    std::vector<int> slots_, lines_;
    std::int64_t member_end_ = 0, slot_end_ = 0, line_end_ = 0;
    std::vector<int> common_, apart_;
    std::vector<std::pair<int, int>> edges_;  // members on either side
    std::vector<Word> on_slot_;               // of each slot the members on it
    std::vector<Word> used_;
    IntVector line_;
    Int slope_, value_;
};

}  // namespace exactgeo
