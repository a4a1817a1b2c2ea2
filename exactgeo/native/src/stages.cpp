#include "stages.hpp"

#include <limits>
#include <numeric>  // iota

#include "lemma.hpp"

namespace exactgeo {

namespace {

constexpr int comfortable = 60;  // rows whose largest weight is within 2^-60 .. 2^60 are left as they are

int find_root(std::vector<int>& parent, int k) {
    const auto at = [](int j) { return static_cast<std::size_t>(j); };
    while (parent[at(k)] != k) k = parent[at(k)] = parent[at(parent[at(k)])];
    return k;
}

double power(std::int64_t exponent) {
    if (exponent == 0) return 1.0;
    return std::ldexp(1.0, static_cast<int>(std::max<std::int64_t>(-2000, std::min<std::int64_t>(2000, exponent))));
}

}  // namespace

void Weights::set(int row, int column, Int value) {
    if (value.fits() && value.small() != std::numeric_limits<std::int64_t>::min()) {
        set(row, column, value.small());
        return;
    }
    const std::int64_t twos = value.twos();
    Int odd = value;
    odd.shift_right(twos);
    if (odd.fits()) {
        at(row, column) = {odd.small(), static_cast<std::int32_t>(twos)};
        return;
    }
    at(row, column) = {0, static_cast<std::int32_t>(-1 - static_cast<std::int64_t>(long_.size()))};
    long_.push_back(std::move(value));
}

std::int64_t Weights::magnitude(const Entry& entry) const {
    if (entry.exponent < 0) return long_[size(-1 - entry.exponent)].bits();
    const auto absolute = entry.mantissa < 0 ? 0 - static_cast<std::uint64_t>(entry.mantissa)
                                             : static_cast<std::uint64_t>(entry.mantissa);
    return 64 - __builtin_clzll(absolute) + entry.exponent;
}

void Weights::exact(int row, int column, Int& value) const {
    const Entry& e = entry(row, column);
    if (e.exponent < 0) {
        value = long_[size(-1 - e.exponent)];
        return;
    }
    value = e.mantissa;
    if (e.exponent > 0) value.shift_left(e.exponent);
}

void Weights::add_product(Int& sum, int row, int column, const Int& factor, Int& scratch) const {
    const Entry& e = entry(row, column);
    if (e.exponent == 0) {
        sum.add_product(factor, e.mantissa);
    } else if (e.exponent > 0) {
        scratch = factor;
        scratch.multiply(e.mantissa);
        scratch.shift_left(e.exponent);
        sum.add(scratch);
    } else {
        sum.add_product(factor, long_[size(-1 - e.exponent)]);
    }
}

void Weights::round(Rounding& room) {
    const std::vector<int>&group = room.group, &column_shift = room.column_shift;
    pad_ = (rows_ + 7) / 8 * 8;
    high_.assign(size(columns_) * size(pad_), 0.0);
    low_.clear();
    most_.assign(size(pad_), 0.0);
    cut_.assign(size(pad_), 0);
    cuts_ = false;
    shift_.assign(size(pad_), 0);
    constexpr auto nothing = std::numeric_limits<std::int64_t>::min();
    std::vector<std::int64_t>&largest = room.largest, &own = room.own;  // by group, and by row
    largest.assign(size(rows_), nothing);
    own.assign(size(rows_), nothing);
    for (int i = 0; i < rows_; ++i)
        for (int k = 0; k < columns_; ++k) {
            const Entry& e = entry(i, k);
            if (e.zero()) continue;
            own[size(i)] = std::max(own[size(i)], magnitude(e) - column_shift[size(k)]);
        }
    for (int i = 0; i < rows_; ++i)
        largest[size(group[size(i)])] = std::max(largest[size(group[size(i)])], own[size(i)]);
    std::int64_t grid = std::numeric_limits<std::int64_t>::max();
    bool exact_weights = true;
    for (int i = 0; i < rows_; ++i) {
        const std::int64_t top = largest[size(group[size(i)])];
        if (top == nothing) continue;
        const std::int64_t shift = top > comfortable || top < -comfortable ? -top : 0;
        shift_[size(i)] = static_cast<int>(shift);
        for (int k = 0; k < columns_; ++k) {
            const Entry& e = entry(i, k);
            if (e.zero()) continue;
            const std::int64_t scale = shift - column_shift[size(k)];
            const std::int64_t size_of = magnitude(e) + scale;
            if (size_of <= top + shift - 400) {  // below cut_off of the group's largest
                ++cut_[size(i)];
                cuts_ = true;
                exact_weights = false;
                most_[size(i)] = std::max(most_[size(i)], power(top + shift));
                continue;
            }
            double hi = 0.0, lo = 0.0;
            std::int64_t least = 0;  // the weight is a multiple of 2^least
            if (e.exponent < 0) {
                const Int& value = long_[size(-1 - e.exponent)];
                std::int64_t exponent = 0;
                const double m = value.mantissa(exponent);
                hi = m * power(exponent + scale);
                Int head, rest = value;
                head.set_scaled(m, 53);
                if (exponent >= 53)
                    head.shift_left(exponent - 53);
                else
                    rest.shift_left(53 - exponent);
                rest.subtract(head);
                if (rest.sign() != 0) {
                    exact_weights = false;
                    std::int64_t rest_exponent = 0;
                    const double r = rest.mantissa(rest_exponent);
                    lo = r * power(rest_exponent + scale - std::max<std::int64_t>(0, 53 - exponent));
                }
                least = value.twos() + scale;
            } else {
                // Halves of 32 bits are exact, and so is their sum as a pair.
                const double upper = static_cast<double>(e.mantissa >> 32) * 0x1p32;
                const Pair sum = two_sum(upper, static_cast<double>(e.mantissa & 0xffffffff));
                const double factor = power(e.exponent + scale);
                hi = sum.hi * factor;
                lo = sum.lo * factor;
                if (sum.lo != 0.0) exact_weights = false;
                least = __builtin_ctzll(static_cast<std::uint64_t>(e.mantissa)) + e.exponent + scale;
            }
            grid = std::min(grid, least);
            high_[size(k) * size(pad_) + size(i)] = hi;
            if (lo != 0.0) {
                if (low_.empty()) low_.assign(high_.size(), 0.0);
                low_[size(k) * size(pad_) + size(i)] = lo;
            }
            most_[size(i)] = std::max(most_[size(i)], std::fabs(hi) * slack);
        }
    }
    grid_ = !exact_weights ? 0.0 : grid == std::numeric_limits<std::int64_t>::max() ? 1.0 : power(grid);
}

void Network::round(Rounding& room) {
    const auto at = [](int k) { return static_cast<std::size_t>(k); };
    room.column_shift.assign(at(width()), 0);
    for (Stage& stage : stages) {
        const int forms = stage.forms();
        room.zero.assign(at(forms), 1);
        room.parent.resize(at(forms));
        std::iota(room.parent.begin(), room.parent.end(), 0);
        for (int i = 0; i < forms; ++i)
            for (int k = 0; k < stage.weights.columns() && room.zero[at(i)] != 0; ++k)
                room.zero[at(i)] = stage.weights.zero(i, k) ? 1 : 0;
        // Joins a form that is not zero to the one known before.
        const auto join = [&](int& known, int form) {
            if (room.zero[at(form)] != 0) return;
            if (known >= 0) room.parent[at(find_root(room.parent, known))] = find_root(room.parent, form);
            known = form;
        };
        room.known.assign(at(stage.values), -1);  // for each column of values
        for (int g = 0; g < stage.selectors(); ++g) {
            int score = -1;
            for (int j = stage.first[at(g)]; j < stage.first[at(g + 1)]; ++j) {
                join(score, stage.score[at(j)]);
                for (int k = stage.value_first[at(j)]; k < stage.value_first[at(j + 1)]; ++k)
                    join(room.known[at(stage.column[at(g)] + k - stage.value_first[at(j)])], stage.value[at(k)]);
            }
        }
        room.group.resize(at(forms));
        for (int i = 0; i < forms; ++i) room.group[at(i)] = find_root(room.parent, i);
        stage.weights.round(room);
        room.column_shift.assign(at(stage.terms()), 0);
        for (int c = 0; c < stage.values; ++c)
            if (room.known[at(c)] >= 0) room.column_shift[at(c)] = stage.weights.shift(room.known[at(c)]);
        for (std::size_t b = 0; b < stage.bases.size(); ++b)
            room.column_shift[at(stage.values) + b] = stage.weights.shift(stage.bases[b]);
    }
}

}  // namespace exactgeo
