// The integers behind ``Programs``: verdict 4, signs that floats leave open, and rows that are the same.
#include <algorithm>
#include <cmath>

#include "programs.hpp"

namespace exactgeo {

void Programs::exact_row(const Origin& origin, Int* row) {
    if (origin.level >= 0) {
        levels_.exact_difference(origin.level, form(origin, origin.winner), form(origin, origin.loser), row);
        return;
    }
    const IntVector& exact = levels_.network().rows[at(origin.selector)];
    std::copy(exact.begin(), exact.end(), row);
}

const Int* Programs::integers(const Point& point) {
    if (point.exact) return point.y.data();
    // x_k = m_k 2^e_k with integers m_k: all times the same power of two.
    int least = 0, exponent = 0;
    for (int k = 0; k < width_; ++k)
        if (point.x[at(k)] != 0.0) {
            std::frexp(point.x[at(k)], &exponent);
            least = std::min(least, exponent - 53);
        }
    for (int k = 0; k < width_; ++k) {
        const double m = std::frexp(point.x[at(k)], &exponent);
        point_scratch_[at(k)] = static_cast<std::int64_t>(std::ldexp(m, 53));
        if (m != 0.0) point_scratch_[at(k)].shift_left(exponent - 53 - least);
    }
    return point_scratch_.data();
}

Sign Programs::sign(const Origin& origin, const Point& point) {
    if (!point.exact) {
        const auto view =
            levels_.difference(origin.level, form(origin, origin.winner), form(origin, origin.loser), sum_.data());
        double s = 0.0;
        for (int k = 0; k < width_; ++k) s += sum_[at(k)] * point.x[at(k)];
        const Guess guess = sign_beyond(s, SignBound(most_, 0.0, width_).at(view.n1, view.er));
        if (guess.certain() && !levels_.fault()) {
            ++levels_.tally.floats;
            return levels_.told(guess.sign());
        }
    }
    return exact_sign(origin, integers(point));
}

Sign Programs::sign_beside(const Origin& origin, const Point& point) {
    Sign found = sign(origin, point);
    if (found == Sign::zero) found = sign(origin, middle_);
    if (found != Sign::zero) return found;
    exact_row(origin, exact_scratch_.data());
    int k = 1;
    while (exact_scratch_[at(k)].sign() == 0) ++k;
    return sign_from(exact_scratch_[at(k)].sign());
}

Sign Programs::exact_sign(const Origin& origin, const Int* y) {
    ++levels_.tally.exact;
    if (origin.level < 0) {
        exact_row(origin, exact_scratch_.data());
    } else {  // no gcd of long integers for a sign
        const Int* a = levels_.exact_form(origin.level, form(origin, origin.winner));
        const Int* b = levels_.exact_form(origin.level, form(origin, origin.loser));
        for (int k = 0; k < width_; ++k) exact_scratch_[at(k)].set_difference(a[k], b[k]);
    }
    dot(exact_scratch_.data(), y, width_, dot_);
    return sign_from(dot_.sign());
}

bool Programs::same(int row_a, int row_b) {
    const double* a = values(row_a);
    const double* b = values(row_b);
    const Row& ra = rows_[at(row_a)];
    const Row& rb = rows_[at(row_b)];
    int lead = 0;
    for (int k = 1; k < width_; ++k)
        if (std::fabs(a[k]) > std::fabs(a[lead])) lead = k;
    for (int k = 0; k < width_; ++k) {
        const double s = a[lead] * b[k] - a[k] * b[lead];
        const double bound =
            crossing_error(a[lead], ra.er, std::fabs(b[k]), rb.er, a[k], ra.er, std::fabs(b[lead]), rb.er);
        if (std::fabs(s) > bound && !levels_.fault()) return false;
    }
    ++levels_.tally.exact;
    exact_row(ra.origin, exact_scratch_.data());
    exact_row(rb.origin, other_scratch_.data());
    for (int k = 0; k < width_; ++k)
        if (exact_scratch_[at(k)] != other_scratch_[at(k)]) return false;
    return true;
}

bool Programs::decide_exactly(const Tableau& tableau, std::vector<int>& rows, const std::vector<Rivals>& rivals,
                              Point& point) {
    ++levels_.tally.exact_programs;
    exact_.clear();
    std::fill(exact_scratch_.begin(), exact_scratch_.end(), Int(0));
    exact_scratch_[0] = 1;
    exact_.add(exact_scratch_.data());
    for (int c = 0; tableau.rows > 0 && c < simplex_.columns(); ++c) {
        const int row = simplex_.form_in(tableau, c);
        if (row < 0) continue;
        exact_row(rows_[at(row)].origin, exact_scratch_.data());
        exact_.add(exact_scratch_.data());
    }
    const int domain_rows = static_cast<int>(levels_.network().rows.size());
    point.y.resize(at(width_));
    while (true) {
        if (!exact_.solve()) return false;
        exact_.point(point.y.data());
        // The worst row of the domain and of the cell by the number of bits; it is not positive, so it is a new one.
        bool found = false;
        std::int64_t most = 0;
        const auto look = [&](const Origin& origin) {
            if (exact_sign(origin, point.y.data()) == Sign::positive) return;
            std::int64_t bits = 0;
            for (int k = 0; k < width_; ++k) bits = std::max(bits, exact_scratch_[at(k)].bits());
            bits = dot_.bits() - bits;
            if (found && bits <= most) return;
            found = true;
            most = bits;
            other_scratch_.swap(exact_scratch_);
        };
        for (int k = 0; k < domain_rows; ++k) {
            bool constant = true;
            const IntVector& row = levels_.network().rows[at(k)];
            for (int c = 1; c < width_; ++c) constant = constant && row[at(c)].sign() == 0;
            if (!constant || row[0].sign() < 0) look({-1, k, 0, 0});
        }
        for (const int row : rows) look(rows_[at(row)].origin);
        for (const Rivals& group : rivals) {
            if (found) break;
            for (const int rival : group.classes) {
                const Origin origin{group.level, group.selector, group.winner, rival};
                if (exact_sign(origin, point.y.data()) == Sign::positive) continue;
                rows.push_back(add(origin));
                found = true;
                other_scratch_.swap(exact_scratch_);
                break;
            }
        }
        if (!found) break;
        make_primitive(other_scratch_.data(), width_, dot_);
        exact_.add(other_scratch_.data());
    }
    // Doubles close to the exact point will do if they are inside.
    point.x.resize(at(width_));
    round_to_doubles(point.y.data(), width_, point.x.data());
    if (offset_ == 1) {
        const double scale = point.x[0];
        for (double& x : point.x) x /= scale;
        for (int k = 0; k < width_; ++k) point.x[at(k)] = std::min(std::max(point.x[at(k)], lo_[at(k)]), hi_[at(k)]);
    }
    point.exact = !(in_box(point.x.data()) && check_rows(nullptr, rows, point.x.data()) == Check::positive &&
                    check_rivals(nullptr, rows, rivals, point.x.data()) == Check::positive);
    return true;
}

}  // namespace exactgeo
