#include "simplex.hpp"

#include <cmath>

#include "loops.hpp"

namespace exactgeo {

namespace {

// What is proposed may be wrong; these only say when to stop. Forms have normals of length 1 on a cube of side 2.
constexpr double inside_above = 0x1p-20;    // a point is good enough if all forms exceed this
constexpr double outside_below = -0x1p-30;  // multipliers are good enough if they show that t is less than this
constexpr double violated_below = -0x1p-40;
constexpr double pivot_above = 0x1p-36;

}  // namespace

Simplex::Simplex(int coordinates) : n_(coordinates), value_(coordinates + 1), stride_((coordinates + 5) / 4 * 4) {}

void Simplex::clear(Tableau& tableau) const {
    tableau.rows = 0;
    tableau.entry.clear();
    tableau.basic.clear();
    tableau.entered.clear();
    tableau.column.resize(size(n_ + 1));
    tableau.place.resize(size(n_));
    tableau.turned.assign(size(n_), 1.0);
    for (int j = 0; j < n_; ++j) tableau.column[size(j)] = tableau.place[size(j)] = j;
}

void Simplex::enter(Tableau& tableau, int k, const double* normal, double constant) const {
    tableau.entered.push_back(k);
    const int at = tableau.rows++;
    tableau.entry.resize(size(tableau.rows * stride_), 0.0);
    double* row = tableau.entry.data() + at * stride_;
    if (at == 0) {  // t = r - w with the coordinates turned to where r is largest
        for (int j = 0; j < n_; ++j) {
            tableau.turned[size(j)] = normal[j] > 0.0 ? -1.0 : 1.0;
            row[j] = normal[j] * tableau.turned[size(j)];
        }
        row[n_] = -1.0;
        row[value_] = constant;
        for (int j = 0; j < n_; ++j) row[value_] -= row[j];
        tableau.column[size(n_)] = n_ + k;
        tableau.basic.push_back(-1);
        return;
    }
    row[value_] = constant;
    for (int j = 0; j < n_; ++j) {
        const double a = normal[j] * tableau.turned[size(j)];
        row[value_] -= a;
        const int place = tableau.place[size(j)];
        if (place >= 0) {
            row[place] += a;
        } else {
            const double* other = tableau.entry.data() + (-1 - place) * stride_;
            for (int c = 0; c < stride_; ++c) row[c] += a * other[c];
        }
    }
    for (int c = 0; c < stride_; ++c) row[c] -= tableau.entry[size(c)];
    tableau.basic.push_back(n_ + k);
}

// The slack w = r - t becomes -r - t = -w - 2 t.
bool Simplex::negate(Tableau& tableau, int k, int m) const {
    for (int i = 1; i < tableau.rows; ++i) {
        if (tableau.basic[size(i)] != n_ + k) continue;
        double* row = tableau.entry.data() + i * stride_;
        for (int c = 0; c < stride_; ++c) row[c] = -row[c] - 2.0 * tableau.entry[size(c)];
        tableau.basic[size(i)] = n_ + m;
        for (int& form : tableau.entered)
            if (form == k) form = m;
        return true;
    }
    return false;
}

Simplex::Proposal Simplex::solve(Tableau& tableau) {
    if (tableau.rows == 0) return Proposal::inside;
    const int limit = 20 + 4 * (tableau.rows + n_);
    for (int step = 0; step < limit; ++step) {
        const double t = tableau.entry[size(value_)];
        if (t < outside_below) return Proposal::outside;
        int leaving = -1;
        double worst = violated_below, least = 0.0;
        bool in_cube = true;
        const double* value = tableau.entry.data() + value_;
        for (int i = 1; i < tableau.rows; ++i) {
            double v = value[i * stride_];
            if (tableau.basic[size(i)] < n_) {
                v = std::fmin(v, 2.0 - v);
                in_cube = in_cube && v >= 0.0;
            } else {
                least = std::fmin(least, v);
            }
            if (v < worst) {
                worst = v;
                leaving = i;
            }
        }
        if (in_cube && t > inside_above && least + t > inside_above) return Proposal::inside;
        if (leaving < 0) return t > 0.0 ? Proposal::inside : t <= 0.0 ? Proposal::outside : Proposal::lost;
        if (tableau.entry[size(leaving * stride_ + value_)] > 0.0) turn_row(tableau, leaving);
        const int entering = choose_column(tableau, leaving);
        if (entering < 0) return Proposal::lost;
        pivot(tableau, leaving, entering);
        ++pivots;
    }
    return Proposal::lost;
}

// w becomes 2 - w for the basic coordinate of row i.
void Simplex::turn_row(Tableau& tableau, int i) const {
    double* row = tableau.entry.data() + i * stride_;
    for (int c = 0; c < stride_; ++c) row[c] = -row[c];
    row[value_] += 2.0;
    tableau.turned[size(tableau.basic[size(i)])] *= -1.0;
}

// The same for the coordinate of column c.
void Simplex::flip(Tableau& tableau, int c) const {
    for (int i = 0; i < tableau.rows; ++i) {
        double* row = tableau.entry.data() + i * stride_;
        row[value_] += 2.0 * row[c];
        row[c] = -row[c];
    }
    tableau.turned[size(tableau.column[size(c)])] *= -1.0;
}

// The column with the least ratio -e_0j / e_ij, e_ij > 0, after flips of those before it that do not suffice.
int Simplex::choose_column(Tableau& tableau, int i) {
    const double* top = tableau.entry.data();
    const double* row = top + i * stride_;
    ratios_.resize(size(n_ + 1));
    for (int c = 0; c <= n_; ++c) {
        const double ratio = -top[c] / row[c];
        ratios_[size(c)] = !(row[c] > pivot_above) ? HUGE_VAL : ratio > 0.0 ? ratio : 0.0;
    }
    while (true) {
        int best = 0;
        for (int c = 1; c <= n_; ++c)
            if (ratios_[size(c)] < ratios_[size(best)] ||
                (ratios_[size(c)] == ratios_[size(best)] && row[c] > row[best]))
                best = c;
        if (!(ratios_[size(best)] < HUGE_VAL)) return -1;
        if (tableau.column[size(best)] >= n_ || row[value_] + 2.0 * row[best] >= 0.0) return best;
        flip(tableau, best);  // its entry becomes negative
        ratios_[size(best)] = HUGE_VAL;
    }
}

void Simplex::pivot(Tableau& tableau, int i, int c) const {
    double* row = tableau.entry.data() + i * stride_;
    const double inverse = 1.0 / row[c];
    for (int k = 0; k < stride_; ++k) row[k] *= -inverse;
    row[c] = inverse;
    eliminate(tableau.entry.data(), tableau.rows, stride_, i, c);
    std::swap(tableau.basic[size(i)], tableau.column[size(c)]);
    if (tableau.basic[size(i)] < n_) tableau.place[size(tableau.basic[size(i)])] = -1 - i;
    if (tableau.column[size(c)] < n_) tableau.place[size(tableau.column[size(c)])] = c;
}

void Simplex::point(const Tableau& tableau, double* z) const {
    for (int j = 0; j < n_; ++j) {
        const int place = tableau.place[size(j)];
        const double w = place >= 0 ? 0.0 : tableau.entry[size((-1 - place) * stride_ + value_)];
        z[j] = tableau.turned[size(j)] * (w - 1.0);
    }
}

ExactSimplex::ExactSimplex(int width) : width_(width) { clear(); }

void ExactSimplex::clear() {
    rows_ = slacks_ = 0;
    basic_.clear();
    column_.resize(size(width_));
    for (int j = 0; j < width_; ++j) column_[size(j)] = j;
    denominator_ = 1;
}

void ExactSimplex::add(const Int* row) {
    const int at_row = rows_++;
    if (entry_.size() < size(rows_) * size(width_ + 1)) entry_.resize(size(rows_) * size(width_ + 1));
    for (int c = 0; c < width_; ++c) at(at_row, c) = 0;
    at(at_row, width_) = denominator_;
    at(at_row, width_).negate();
    for (int c = 0; c < width_; ++c)
        if (column_[size(c)] < width_) at(at_row, c).add_product(row[column_[size(c)]], denominator_);
    for (int i = 0; i < at_row; ++i)
        if (basic_[size(i)] < width_ && row[basic_[size(i)]].sign() != 0)
            for (int c = 0; c <= width_; ++c) at(at_row, c).add_product(row[basic_[size(i)]], at(i, c));
    basic_.push_back(width_ + slacks_++);
}

bool ExactSimplex::solve() {
    constexpr int patience = 40;  // pivots by the largest violation before those by the least index
    for (int step = 0;; ++step) {
        const int row = violated(step >= patience);
        if (row < 0) return true;
        const int column = entering(row);
        if (column < 0) return false;  // a slack that is negative wherever the others are not
        pivot(row, column);
    }
}

int ExactSimplex::violated(bool least_index) {
    int found = -1;
    for (int i = 0; i < rows_; ++i) {
        if (basic_[size(i)] < width_ || at(i, width_).sign() >= 0) continue;
        if (found < 0 ||
            (least_index ? basic_[size(i)] < basic_[size(found)] : at(i, width_).compare(at(found, width_)) < 0))
            found = i;
    }
    return found;
}

// A free variable, which never leaves again, or the slack of least index that increases the row.
int ExactSimplex::entering(int row) {
    int found = -1;
    for (int c = 0; c < width_; ++c) {
        const int sign = at(row, c).sign();
        if (column_[size(c)] < width_ ? sign == 0 : sign <= 0) continue;
        if (found < 0 || column_[size(c)] < column_[size(found)]) found = c;
    }
    return found;
}

// With w_i = (sum e_il z_l) / q and p = e_ic: z_c = (q w_i - sum over l != c of e_il z_l) / p, and
// w_k = (e_kc w_i + sum over l != c of (p e_kl - e_kc e_il) / q z_l) / p, where q divides.
void ExactSimplex::pivot(int row, int column) {
    const Int p = at(row, column);
    for (int k = 0; k < rows_; ++k) {
        if (k == row) continue;
        const Int& factor = at(k, column);
        for (int l = 0; l <= width_; ++l) {
            if (l == column) continue;
            Int& e = at(k, l);
            e.multiply(p);
            if (factor.sign() != 0) e.subtract_product(factor, at(row, l));
            e.divide_exactly(denominator_);
        }
    }
    for (int l = 0; l <= width_; ++l) at(row, l).negate();
    at(row, column) = denominator_;
    denominator_ = p;
    if (p.sign() < 0) {
        denominator_.negate();
        for (int k = 0; k < rows_; ++k)
            for (int l = 0; l <= width_; ++l) at(k, l).negate();
    }
    std::swap(basic_[size(row)], column_[size(column)]);
}

void ExactSimplex::point(Int* y) {
    for (int j = 0; j < width_; ++j) y[j] = 0;
    for (int i = 0; i < rows_; ++i)
        if (basic_[size(i)] < width_) y[basic_[size(i)]] = at(i, width_);
    make_primitive(y, width_, scratch_);
}

}  // namespace exactgeo
