// Two simplex methods for one question: is there a point at which all of some forms are positive?
//
// ``Simplex`` works in doubles and *proposes*. With forms r_i on the cube [-1, 1]^n, scaled to normals of length 1, it
// looks for
//
//     max t   with   r_i(z) >= t for all i,   z in the cube,
//
// by the dual simplex method on a dense tableau. Its variables are distances w >= 0: of a coordinate from one of its
// two bounds (*turned* to that bound: z = o (w - 1), o = 1 or -1, so w <= 2), and the slacks r_i - t of the forms. t is
// free, always basic, and has row 0:
//
//     t = v_0 + sum_j e_0j w_j,    w_i = v_i + sum_j e_ij w_j,    over the n + 1 columns j.
//
// Invariant: e_0j <= 0 up to rounding, so that v_0 bounds t, whatever the v_i. So it may stop as soon as v_0 < 0: then
// l_j = -e_0j over slacks are multipliers with sum l_j r_j <= v_0 on the cube; or as soon as the r_i = w_i + t are
// positive at the current point. A form is entered with one row and leaves the invariant as it is: a tableau is copied
// from a node to its parts and continued. Ratio test with bound flips (Maros 2003, ch. 10): coordinates that can go to
// their other bound do so before a pivot. Nothing that is decided rests on this class: callers verify points and
// multipliers.
//
// ``ExactSimplex`` works in integers and *decides* whether r_i(y) >= 1 for all i has a solution y in R^D, for integer
// rows: homogeneous forms are positive together somewhere just if this is so. Fraction-free pivots (Edmonds 1967): all
// entries are minors over one common denominator. Least indices (Bland 1977) make it finite.
#pragma once

#include <cstdint>
#include <vector>

#include "integers.hpp"

namespace exactgeo {

struct Tableau {
    int rows = 0;
    std::vector<double> entry;   // rows of ``stride``: n + 1 columns, then the value v
    std::vector<int> basic;      // the variable of each row; coordinates 0..n-1, the slack of form k is n + k
    std::vector<int> column;     // the variable of each column
    std::vector<int> place;      // of each coordinate its column c, or -1 - i for row i
    std::vector<double> turned;  // of each coordinate the sign o
    std::vector<int> entered;    // the forms in it
};

class Simplex {
public:
    enum class Proposal { inside, outside, lost };

    explicit Simplex(int coordinates);

    void clear(Tableau& tableau) const;
    // Enters form k: constant + sum_j normal_j z_j.
    void enter(Tableau& tableau, int k, const double* normal, double constant) const;
    // Form k, with a row of its own, becomes form m = -k; false where it has none.
    bool negate(Tableau& tableau, int k, int m) const;
    Proposal solve(Tableau& tableau);
    void point(const Tableau& tableau, double* z) const;
    // The multiplier of the form in column c, and its number; -1 where the column is no form.
    [[nodiscard]] int form_in(const Tableau& tableau, int c) const {
        const int variable = tableau.column[static_cast<std::size_t>(c)];
        return variable < n_ ? -1 : variable - n_;
    }
    [[nodiscard]] double multiplier(const Tableau& tableau, int c) const {
        return -tableau.entry[static_cast<std::size_t>(c)];
    }
    [[nodiscard]] int columns() const { return n_ + 1; }

    std::uint64_t pivots = 0;

private:
    static std::size_t size(int k) { return static_cast<std::size_t>(k); }
    void flip(Tableau& tableau, int c) const;
    void turn_row(Tableau& tableau, int i) const;
    int choose_column(Tableau& tableau, int i);
    void pivot(Tableau& tableau, int i, int c) const;

    int n_, value_, stride_;
    std::vector<double> ratios_;
};

class ExactSimplex {
public:
    explicit ExactSimplex(int width);

    void clear();
    // Adds a row: row . y >= 1.
    void add(const Int* row);
    // Whether all rows have a common solution.
    bool solve();
    // A solution up to a positive factor: all rows are positive there.
    void point(Int* y);

private:
    static std::size_t size(int k) { return static_cast<std::size_t>(k); }
    Int& at(int row, int column) { return entry_[size(row) * size(width_ + 1) + size(column)]; }
    int violated(bool least_index);
    int entering(int row);
    void pivot(int row, int column);

    int width_;
    int rows_ = 0;
    IntVector entry_;         // width columns, then the constant, all over denominator_ > 0
    std::vector<int> basic_;  // free variables 0..width-1, then slacks
    std::vector<int> column_;
    int slacks_ = 0;
    Int denominator_, scratch_;
};

}  // namespace exactgeo
