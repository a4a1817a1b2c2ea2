// The network as the core keeps it: for each stage its selectors, and how its forms come from the stage before.
//
// Forms of stage s are linear in *terms*: for stage 0 the D = d + 1 homogeneous coordinates of the input; for later
// stages the values of the winners of the stage before, one column for each entry, and then some forms of that stage,
// the *bases*, the last of which is the constant 1. So a residual connection is a base, a bias the last column, and
//
//     form_i = sum over columns u of weight_iu term_u.
//
// Weights are integers: all forms of a stage are known up to one positive factor. Of each stage
// we keep the exact weights and doubles of them, times powers of two, 2^shift_i for form i, that keep wild scales
// within range. Forms that are compared with each other or stand for one another have the same shift; the zero form has
// any.
#pragma once

#include <cstdint>
#include <vector>

#include "integers.hpp"

namespace exactgeo {

// mantissa 2^exponent; or, for an exponent of -1 - k, entry k of a table of longer integers.
struct Entry {
    std::int64_t mantissa = 0;
    std::int32_t exponent = 0;
    [[nodiscard]] bool zero() const { return mantissa == 0 && exponent >= 0; }
};

// Room for what rounding needs, to be used again.
struct Rounding {
    std::vector<std::int64_t> largest, own;
    std::vector<int> parent, group, known, column_shift;
    std::vector<std::uint8_t> zero;
};

class Weights {
public:
    Weights() = default;
    Weights(int rows, int columns) : rows_(rows), columns_(columns), entries_(size(rows) * size(columns)) {}

    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int pad() const { return pad_; }
    void set(int row, int column, std::int64_t value) { at(row, column) = {value, 0}; }
    void set(int row, int column, Entry entry) { at(row, column) = entry; }  // none of the longer integers
    void set(int row, int column, Int value);
    void clear_long() { long_.clear(); }  // all entries are going to be set anew

    [[nodiscard]] bool zero_row(int row) const { return most_[size(row)] == 0.0 && cut_[size(row)] == 0; }
    // The doubles of one column, for all rows; what they leave of the weights, or nullptr if that is nothing.
    [[nodiscard]] const double* column(int column) const { return high_.data() + size(column) * size(pad_); }
    [[nodiscard]] const double* low_column(int column) const {
        return low_.empty() ? nullptr : low_.data() + size(column) * size(pad_);
    }
    [[nodiscard]] double most(int row) const { return most_[size(row)]; }  // >= |weight| in the row
    [[nodiscard]] int cut(int row) const { return cut_[size(row)]; }       // weights that count as zero
    [[nodiscard]] bool cuts() const { return cuts_; }                      // whether there are any
    [[nodiscard]] double grid() const { return grid_; }                    // of all weights; 0 if one is not exact
    [[nodiscard]] int shift(int row) const { return shift_[size(row)]; }

    void add_product(Int& sum, int row, int column, const Int& factor, Int& scratch) const;
    [[nodiscard]] bool zero(int row, int column) const { return entry(row, column).zero(); }
    void exact(int row, int column, Int& value) const;

    // Makes the doubles. ``room.group`` says which rows have the same shift; ``room.column_shift`` is the one of each
    // term.
    void round(Rounding& room);

private:
    static std::size_t size(int k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] const Entry& entry(int row, int column) const {
        return entries_[size(row) * size(columns_) + size(column)];
    }
    Entry& at(int row, int column) { return entries_[size(row) * size(columns_) + size(column)]; }
    // The exponent e with |weight| in [2^(e-1), 2^e).
    [[nodiscard]] std::int64_t magnitude(const Entry& entry) const;

    int rows_ = 0, columns_ = 0, pad_ = 0;
    std::vector<Entry> entries_;
    std::vector<Int> long_;
    std::vector<double> high_, low_, most_;
    std::vector<int> cut_, shift_;
    double grid_ = 0.0;
    bool cuts_ = false;
};

struct Stage {
    Weights weights;               // of its forms
    std::vector<int> first;        // candidates of selector g: first[g] .. first[g + 1] - 1
    std::vector<int> score;        // for each candidate a form
    std::vector<int> value_first;  // the entries of a candidate's value: value_first[j] .. value_first[j + 1] - 1
    std::vector<int> value;        // forms
    std::vector<int> column;       // for each selector the first column of its value among the terms after the stage
    std::vector<int> bases;        // forms that are terms after the stage, the last one constant
    int values = 0;                // how many terms are values

    [[nodiscard]] int selectors() const { return static_cast<int>(first.size()) - 1; }
    [[nodiscard]] int forms() const { return weights.rows(); }
    [[nodiscard]] int terms() const { return values + static_cast<int>(bases.size()); }
    [[nodiscard]] int value_length(int selector) const {
        const auto j = static_cast<std::size_t>(first[static_cast<std::size_t>(selector)]);
        return value_first[j + 1] - value_first[j];
    }
};

// ``rows``: the domain, as integer rows (b, a) with b + a.x >= 0. If ``mapped``, the last stage is no stage of the
// network: it has no selectors, and its forms are its output.
struct Network {
    int dimension = 0;
    std::vector<Stage> stages;
    std::vector<IntVector> rows;
    bool mapped = false;

    [[nodiscard]] int width() const { return dimension + 1; }
    [[nodiscard]] int depth() const { return static_cast<int>(stages.size()) - (mapped ? 1 : 0); }
    // Makes the doubles of all weights; call it once all is there, and again when weights have changed.
    void round() {
        Rounding room;
        round(room);
    }
    void round(Rounding& room);
};

}  // namespace exactgeo
