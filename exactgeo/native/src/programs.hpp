// Is there a point inside the domain at which all of some rows are positive? The verdict is exact.
//
// Semantics. A cell counts just if it has an interior. Rows are forms that do not vanish identically, so a set of rows
// is *nonempty* if some point of the interior of the domain is strictly inside all of them, otherwise *empty*. As the
// domain is the closure of its interior, a point of the domain that is strictly inside all rows is enough; and
// nonnegative multipliers, not all zero, whose combination of rows is nowhere positive on the domain show that there is
// none.
//
// Points and rows have D = d + 1 homogeneous coordinates. If the domain has bounds for each coordinate they are bounds
// of variables, and x_0 = 1: a *box*. Otherwise x is in the cube |x_k| <= 1, x_0 >= 0, where a cone has a point just if
// it has one at all. All other rows of the domain are rows like those of cells.
//
// Verdicts, in this order, the first that holds:
//   1. a point of doubles, in the box by comparison, and strictly inside all rows by the lemma: nonempty;
//   2. multipliers as they come, taken as exact: their combination is negative on the box beyond its error: empty;
//   3. multipliers close to small integers, with rows on grids: the combination, exact, is at most 0: empty;
//   4. the integers of ``ExactSimplex``, which begins with the rows that the floats found tight and adds what is
//   violated.
//
// *Rivals*: a selector with many classes gives a cell one row for each class that its winner beats. They are not rows
// of the tableau before a point violates them.
#pragma once

#include <random>
#include <vector>

#include "cells.hpp"
#include "level.hpp"
#include "simplex.hpp"

namespace exactgeo {

// A point inside a cell: doubles, taken as exact; or integers, where doubles are not good enough.
struct Point {
    std::vector<double> x;
    bool exact = false;
    IntVector y;
};

// A winner, and the classes whose rows against it are not among the rows of a cell before they are needed.
struct Rivals {
    std::int32_t level, selector, winner;
    std::vector<std::int32_t> classes;
};

class Programs {
public:
    Programs(Levels& levels, const Faults& faults);

    // Rows are numbered, and forgotten in the opposite order.
    int add(const Origin& origin);
    [[nodiscard]] int size() const { return static_cast<int>(rows_.size()); }
    void forget(int from);
    [[nodiscard]] const Origin& origin(int row) const { return rows_[at(row)].origin; }

    // The rows of the domain that are no bounds of variables, and a point inside it; false where there is none.
    bool domain(std::vector<int>& rows, Tableau& tableau, Point& point);

    void clear(Tableau& tableau) const { simplex_.clear(tableau); }
    void enter(Tableau& tableau, int row) const;
    // Whether a set of rows, some of which are in the tableau, is nonempty; then a point inside. Rows of rivals that
    // the tableau needed are added to the rows.
    bool nonempty(Tableau& tableau, std::vector<int>& rows, const std::vector<Rivals>& rivals, Point& point);

    // Replaces a row in the tableau by its negative, another row; the tableau is cleared where it is not so easy.
    void negate(Tableau& tableau, int row, int negative) const;
    // Whether a row of this origin is among some rows.
    [[nodiscard]] bool is_among(const std::vector<int>& rows, const Origin& origin) const;
    // The sign of a row at a point.
    Sign sign(const Origin& origin, const Point& point);
    // The same just beside the point, in the direction of the middle of the box and then of the axes in turn: not zero.
    Sign sign_beside(const Origin& origin, const Point& point);
    // A point beyond the row, the first of these rows that a ray meets which leaves a point at a right angle to it: not
    // beyond any other, and in the domain. False where that is not certain.
    bool beyond(int row, const std::vector<int>& rows, const Point& point, std::vector<double>& x);
    // Whether two rows, both positive somewhere, are positive multiples of each other.
    bool same(int row_a, int row_b);
    // The point as integers, up to a positive factor.
    const Int* integers(const Point& point);
    [[nodiscard]] const double* values(int row) const { return values_.data() + at(row) * at(width_); }

private:
    struct Row {
        Origin origin;
        double n1, er, grid, scale;
    };
    enum class Check { positive, entered, failed };

    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    void find_box();
    void exact_row(const Origin& origin, Int* row);
    [[nodiscard]] int form(const Origin& origin, int which) const {
        return levels_.score_of(origin.level, origin.selector, which);
    }
    void propose_point(const Tableau& tableau, Point& point);
    bool in_box(const double* x) const;
    double value(int row, const double* x) const;
    // Without a tableau nothing is entered.
    Check check_rows(Tableau* tableau, const std::vector<int>& rows, const double* x);
    Check check_rivals(Tableau* tableau, std::vector<int>& rows, const std::vector<Rivals>& rivals, const double* x);
    bool refuted(const Tableau& tableau);
    bool refuted_by_floats();
    bool refuted_on_grids();
    void combine();
    double largest_on_box(const double* c) const;
    Sign exact_sign(const Origin& origin, const Int* y);
    bool decide_exactly(const Tableau& tableau, std::vector<int>& rows, const std::vector<Rivals>& rivals,
                        Point& point);
    bool chance(double probability);

    Levels& levels_;
    Faults faults_;
    int width_, offset_;  // coordinate k + offset is variable k
    Point middle_;        // of the box; the direction of x_0 where there is none
    std::vector<double> lo_, hi_, outer_lo_, outer_hi_, center_, half_;
    double most_ = 1.0, box_grid_ = 1.0;
    std::vector<int> domain_rows_;  // those that are no bounds
    Simplex simplex_;
    ExactSimplex exact_;
    std::vector<Row> rows_;
    std::vector<double> values_, scaled_;  // of each row its D doubles, and those in the variables of the tableau
    std::vector<int> support_;
    std::vector<double> weight_, sum_, scores_, peaks_;
    IntVector exact_scratch_, point_scratch_, other_scratch_;
    Int dot_;
    std::mt19937_64 random_;
};

}  // namespace exactgeo
