#include "flats.hpp"

#include <algorithm>  // copy_n, fill, lower_bound
#include <cstddef>    // size_t
#include <vector>

namespace exactgeo {
namespace {

using Word = std::uint64_t;
__extension__ using Wide = unsigned __int128;

constexpr Word mersenne = (Word{1} << 61) - 1;
constexpr int patience = 64;       // forms between two looks at stop: some microseconds for d <= 20
constexpr std::size_t spread = 4;  // slots of the hash table for each point
constexpr int few = 8;             // points that are compared in pairs instead

constexpr std::size_t at(int k) { return static_cast<std::size_t>(k); }

// Residues modulo P <= 2^61 - 1, from 0 to P - 1.
template <Word P>
struct Residue {
    static_assert(P <= mersenne, "two products are added in 128 bits, and 2 P in 64");

    // x < 2^124, as are sums of two products. With P = 2^61 - 1 it is (x mod 2^61) + floor(x / 2^61) < 2^64, once more
    // (now at most P + 7), and less P where needed.
    static Word of(Wide x) {
        if constexpr (P == mersenne) {
            const Word once = (static_cast<Word>(x) & P) + static_cast<Word>(x >> 61);
            const Word twice = (once & P) + (once >> 61);
            return twice >= P ? twice - P : twice;
        } else {
            return static_cast<Word>(x % P);
        }
    }
    static Word product(Word a, Word b) { return of(static_cast<Wide>(a) * b); }
    // a d - b c.
    static Word minor(Word a, Word b, Word c, Word d) {
        return of(static_cast<Wide>(a) * d + static_cast<Wide>(P - b) * c);
    }
};

template <Word P>
class Flats {
    using Mod = Residue<P>;

public:
    Flats(int n, int d, Work& work) : work_(work), levels_(at(d)) {
        std::size_t slots = 4;
        while (slots < spread * at(n)) slots *= 2;
        slots_.resize(slots);
        products_.resize(at(n));
        late_.reserve(at(n));
        for (int j = 0; j < d; ++j) levels_[at(j)].width = d - j + 1;
        levels_[0].make_room(n);
        levels_[0].integers.reserve(at(n) * at(d + 1));
    }

    FlatsResult run(const Int* rows, int n) {
        take(rows, n);
        count(0);
        work_.cells.store(cells_, std::memory_order_relaxed);
        return {Int(cells_), residues_, exact_, !halted_};
    }

private:
    // A flat and the forms that cut it: those with residues first, then the late ones. What is said of the form that
    // slices it belongs to the flat on the next level.
    struct Level {
        int width = 0;                     // k + 1
        int good = 0, count = 0;           // forms with residues, and all of them
        int slicer = 0, pivot = 0;         // a row, and a coordinate in which it is not zero on this flat
        Word bound = 1;                    // for minors of the chain, at most P
        std::vector<int> forms;            // form: its row
        std::vector<Word> residues;        // form x coordinate, for those that are not late
        std::uint64_t serial = 1;          // changes with the flat
        IntVector integers;                // row x coordinate, (b); from when it is first needed
        std::vector<std::uint64_t> known;  // row: the serial of the flat for which its integers are right

        Word* form(int t) { return residues.data() + at(t) * at(width); }
        void make_room(int n) {
            forms.resize(at(n));
            residues.resize(at(n) * at(width));
        }
    };

    bool halted() {
        if (work_.stopped() || cells_ > work_.limit) halted_ = true;
        return halted_;
    }

    // A bound on minors, cut off at P.
    static Word times(Word a, Word b) {
        const Wide product = static_cast<Wide>(a) * b;
        return product < P ? static_cast<Word>(product) : P;
    }

    // All of R^d: primitive rows whose normals are not zero.
    void take(const Int* rows, int n) {
        Level& all = levels_[0];
        Int scratch, sum;
        for (int r = 0; r < n; ++r) {
            const Int* given = rows + at(r) * at(all.width);
            if (lead(given, all.width) == 0) continue;
            all.integers.insert(all.integers.end(), given, given + all.width);
            Int* row = all.integers.data() + at(all.count) * at(all.width);
            make_primitive(row, all.width, scratch);
            sum = 0;
            for (int c = 0; c < all.width; ++c) {
                all.form(all.good)[c] = row[c].residue(P);
                scratch = row[c];
                if (scratch.sign() < 0) scratch.negate();
                sum.add(scratch);
            }
            sizes_.push_back(sum.fits() ? times(static_cast<Word>(sum.small()), 1) : P);
            if (lead(all.form(all.good), all.width) > 0)
                all.forms[at(all.good++)] = all.count;
            else
                late_.push_back(all.count);
            ++all.count;
        }
        rows_ = all.count;
        add_late(all);
    }

    void add_late(Level& flat) {
        flat.count = flat.good;
        for (const int row : late_) flat.forms[at(flat.count++)] = row;
        late_.clear();
    }

    // The integers (b) of a row on the current flat of level j.
    const Int* integers(int j, int row) {
        Level& flat = levels_[at(j)];
        if (j > 0 && flat.known.empty()) {
            flat.known.resize(at(rows_));
            flat.integers.resize(at(rows_) * at(flat.width));
        }
        Int* out = flat.integers.data() + at(row) * at(flat.width);
        if (j == 0 || flat.known[at(row)] == flat.serial) return out;
        flat.known[at(row)] = flat.serial;
        const Level& above = levels_[at(j - 1)];
        const Int* f = integers(j - 1, row);
        const Int* g = integers(j - 1, above.slicer);
        const Int* divisor = j > 1 ? &integers(j - 2, levels_[at(j - 2)].slicer)[levels_[at(j - 2)].pivot] : nullptr;
        const int p = above.pivot;
        for (int c = 0; c < above.width; ++c) {
            if (c == p) continue;
            out->set_product(g[p], f[c]);
            out->subtract_product(f[p], g[c]);
            if (divisor != nullptr) out->divide_exactly(*divisor);
            ++out;
        }
        return out - flat.width;
    }

    static bool is_zero(Word x) { return x == 0; }
    static bool is_zero(const Int& x) { return x.sign() == 0; }

    // A coordinate other than the constant one that is not zero, or 0.
    template <class Number>
    static int lead(const Number* form, int width) {
        for (int c = 1; c < width; ++c)
            if (!is_zero(form[c])) return c;
        return 0;
    }

    // Counts the parts of the current flat of level j < d. Its forms that have the zeros of others are dropped.
    void count(int j) {
        Level& flat = levels_[at(j)];
        work_.cells.store(++cells_, std::memory_order_relaxed);
        if (flat.width == 2) return flat.good < flat.count ? count_points_exactly(j) : count_points(j);
        int kept = 0;
        for (int i = 0; i < flat.count && !halted(); ++i) {
            flat.forms[at(kept)] = flat.forms[at(i)];
            if (kept < i && i < flat.good) std::copy_n(flat.form(i), flat.width, flat.form(kept));
            if (!slice(j, kept, i >= flat.good)) continue;
            ++kept;
            count(j + 1);
        }
    }

    // To the zeros of form i of the current flat of level j, with the forms before it, all different. False if form i
    // has the zeros of one of them, or if halted.
    bool slice(int j, int i, bool late) {
        Level& flat = levels_[at(j)];
        Level& down = levels_[at(j + 1)];
        if (down.forms.empty()) down.make_room(rows_ - j - 1);
        const Word* g = flat.form(i);
        flat.slicer = flat.forms[at(i)];
        flat.pivot = late ? lead(integers(j, flat.slicer), flat.width) : lead(g, flat.width);
        down.bound = times(flat.bound, sizes_[at(flat.slicer)]);
        down.good = down.count = 0;
        ++down.serial;
        late_.clear();
        for (int t = 0; t < i; ++t) {
            if ((late || t % patience == patience - 1) && halted()) return false;
            const int row = flat.forms[at(t)];
            if (!late) {
                ++residues_;
                Word* form = down.form(down.good);
                to_zeros(flat.form(t), g, flat.pivot, flat.width, form);
                if (lead(form, down.width) > 0) {
                    down.forms[at(down.good++)] = row;
                    continue;
                }
                if (times(down.bound, sizes_[at(row)]) < P) {  // (a)
                    if (form[0] == 0) return false;
                    continue;
                }
            }
            ++exact_;
            const Int* form = integers(j + 1, row);
            if (lead(form, down.width) > 0)
                late_.push_back(row);
            else if (form[0].sign() == 0)
                return false;
        }
        add_late(down);
        return true;
    }

    // Form f on the zeros of form g.
    static void to_zeros(const Word* f, const Word* g, int pivot, int width, Word* out) {
        const Word gp = g[pivot], fp = f[pivot];
        for (int c = 0; c < pivot; ++c) *out++ = Mod::minor(gp, fp, g[c], f[c]);
        for (int c = pivot + 1; c < width; ++c) *out++ = Mod::minor(gp, fp, g[c], f[c]);
    }

    // Whether forms t and u of a line, whose points are the same modulo P, have the same points.
    bool same_point(int j, int t, int u) {
        Level& line = levels_[at(j)];
        const int one = line.forms[at(t)], two = line.forms[at(u)];
        if (times(times(line.bound, sizes_[at(one)]), sizes_[at(two)]) < P) return true;  // (a)
        ++exact_;
        return compare_points(integers(j, one), integers(j, two)) == 0;
    }

    // The sign of the difference of f_0 / f_1 and g_0 / g_1.
    int compare_points(const Int* f, const Int* g) {
        left_.set_product(f[0], g[1]);
        right_.set_product(g[0], f[1]);
        return left_.compare(right_) * f[1].sign() * g[1].sign();
    }

    // The different points -f_0 / f_1 of the forms on a line.
    void count_points(int j) {
        Level& line = levels_[at(j)];
        residues_ += static_cast<std::uint64_t>(line.good);
        if (line.good > few) return hash_points(j);
        const Word* form = line.form(0);
        for (int t = 0; t < line.good; ++t) {
            bool found = false;
            for (int u = 0; u < t && !found; ++u)
                found =
                    Mod::minor(form[2 * t], form[2 * t + 1], form[2 * u], form[2 * u + 1]) == 0 && same_point(j, t, u);
            if (!found) ++cells_;
        }
    }

    // More than a few: f_0 / f_1 is hashed, times the product of all f_1, so that nothing is divided: f_0 times the
    // product of the others' f_1, of those before and those after it.
    void hash_points(int j) {
        Level& line = levels_[at(j)];
        Word* form = line.form(0);
        Word before = 1, after = 1;
        for (int t = 0; t < line.good; ++t) {
            products_[at(t)] = before;
            before = Mod::product(before, form[2 * t + 1]);
        }
        if (++use_ >> 32 != 0) {
            std::fill(slots_.begin(), slots_.end(), Word{0});
            use_ = 1;
        }
        int bits = 1;
        while ((std::size_t{1} << bits) < spread * at(line.good)) ++bits;
        const std::size_t mask = (std::size_t{1} << bits) - 1;
        for (int t = line.good - 1; t >= 0; --t) {
            if (t % patience == 0 && halted()) return;
            const Word point = Mod::product(form[2 * t], Mod::product(products_[at(t)], after));
            after = Mod::product(after, form[2 * t + 1]);
            form[2 * t] = point;
            // Fibonacci hashing (Knuth, 6.4): the first bits of the product with 2^64 / golden ratio.
            std::size_t place = static_cast<std::size_t>((point * 0x9E3779B97F4A7C15) >> (64 - bits));
            bool found = false;
            for (; !found && slots_[place] >> 32 == use_; place = (place + 1) & mask) {
                const int u = static_cast<int>(slots_[place] & 0xFFFFFFFF);
                found = form[2 * u] == point && same_point(j, t, u);
            }
            if (found) continue;
            slots_[place] = use_ << 32 | static_cast<Word>(t);
            ++cells_;
        }
    }

    // The same with integers: points are put into their order.
    void count_points_exactly(int j) {
        Level& line = levels_[at(j)];
        late_.clear();  // here: rows with different points
        for (int t = 0; t < line.count && !halted(); ++t) {
            ++exact_;
            const Int* form = integers(j, line.forms[at(t)]);
            const auto less = [&](int row, const Int* other) { return compare_points(integers(j, row), other) < 0; };
            const auto place = std::lower_bound(late_.begin(), late_.end(), form, less);
            if (place != late_.end() && compare_points(integers(j, *place), form) == 0) continue;
            late_.insert(place, line.forms[at(t)]);
            ++cells_;
        }
        late_.clear();
    }

    int rows_ = 0;
    Work& work_;
    bool halted_ = false;
    std::int64_t cells_ = 0;
    std::uint64_t residues_ = 0, exact_ = 0;
    std::vector<Level> levels_;
    std::vector<Word> sizes_;  // row: its sum of absolute values, at most P
    std::vector<int> late_;    // rows that cut the flat in the making
    std::vector<Word> products_, slots_;
    Word use_ = 0;  // slots of other lines are empty: use in the upper half, form in the lower
    Int left_, right_;
};

}  // namespace

template <std::uint64_t P>
FlatsResult count_flats_modulo(const Int* rows, int n, int d, Work& work) {
    work.cells.store(1, std::memory_order_relaxed);
    if (d == 0) return {Int(1), 0, 0, true};
    return Flats<P>(n, d, work).run(rows, n);
}

FlatsResult count_flats(const Int* rows, int n, int d, Work& work) {
    return count_flats_modulo<mersenne>(rows, n, d, work);
}

using Counting = FlatsResult(const Int*, int, int, Work&);
template Counting count_flats_modulo<2>;
template Counting count_flats_modulo<7>;
template Counting count_flats_modulo<101>;

}  // namespace exactgeo
