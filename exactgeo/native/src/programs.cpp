#include "programs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>  // inner_product

#include "loops.hpp"

namespace exactgeo {

namespace {

// x = mantissa 2^exponent for a finite double, mantissa an integer below 2^53.
Int parts(double x, int& exponent) {
    const double m = std::frexp(x, &exponent);
    exponent -= 53;
    return Int(static_cast<std::int64_t>(std::ldexp(m, 53)));
}

// The sign of b + a x.
int sign_at(const Int& b, const Int& a, double x) {
    int exponent = 0;
    Int value = parts(x, exponent);
    value.multiply(a);
    Int constant = b;
    if (exponent >= 0)
        value.shift_left(exponent);
    else
        constant.shift_left(-exponent);
    value.add(constant);
    return value.sign();
}

// The largest power of two of which x is a multiple.
double grid_of(double x) {
    int exponent = 0;
    const Int mantissa = parts(x, exponent);
    return std::ldexp(1.0, exponent + static_cast<int>(mantissa.twos()));
}

double round_to_bits(double x, int bits) {
    int exponent = 0;
    const double m = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(m, bits)), exponent - bits);
}

}  // namespace

Programs::Programs(Levels& levels, const Faults& faults)
    : levels_(levels),
      faults_(faults),
      width_(levels.width()),
      offset_(1),
      simplex_(width_),
      exact_(width_),
      sum_(at(width_)),
      exact_scratch_(at(width_)),
      point_scratch_(at(width_)),
      other_scratch_(at(width_)),
      random_(faults.seed) {
    find_box();
    simplex_ = Simplex(width_ - offset_);
}

// Bounds are rounded to doubles inwards for points (lo, hi), outwards for multipliers; all by exact signs.
void Programs::find_box() {
    const auto& rows = levels_.network().rows;
    std::vector<int> bound(at(2 * width_), -1);
    for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
        int normals = 0, j = 0;
        for (int c = 1; c < width_; ++c)
            if (rows[at(k)][at(c)].sign() != 0) {
                ++normals;
                j = c;
            }
        if (normals != 1) {
            if (normals > 1 || rows[at(k)][0].sign() < 0) domain_rows_.push_back(k);
            continue;
        }
        const bool upper = rows[at(k)][at(j)].sign() < 0;
        int& best = bound[at(2 * j + (upper ? 1 : 0))];
        if (best >= 0) {  // b / |a| is less for the tighter one
            Int mine = rows[at(k)][0], its = rows[at(best)][0];
            mine.multiply(rows[at(best)][at(j)]);
            its.multiply(rows[at(k)][at(j)]);
            if (upper ? mine.compare(its) <= 0 : mine.compare(its) >= 0) continue;
        }
        best = k;
    }
    lo_.assign(at(width_), 1.0);
    hi_ = outer_lo_ = outer_hi_ = lo_;
    bool box = true, exact = true;
    for (int j = 1; j < width_ && box; ++j)
        for (int side = 0; side < 2 && box; ++side) {
            const int k = bound[at(2 * j + side)];
            if (k < 0) {
                box = false;
                break;
            }
            const Int& b = rows[at(k)][0];
            const Int& a = rows[at(k)][at(j)];
            const double quotient = -b.to_double() / a.to_double(), size = std::fabs(quotient);
            box = quotient == 0.0 ? b.sign() == 0 : size < 0x1p400 && size > 0x1p-400;
            if (!box) break;
            const double inwards = side == 0 ? HUGE_VAL : -HUGE_VAL;
            double inner = quotient, outer = quotient;
            while (sign_at(b, a, inner) < 0) inner = std::nextafter(inner, inwards);
            while (sign_at(b, a, outer) > 0) outer = std::nextafter(outer, -inwards);
            (side == 0 ? lo_ : hi_)[at(j)] = inner;
            (side == 0 ? outer_lo_ : outer_hi_)[at(j)] = outer;
            exact = exact && inner == outer;
            if (inner != 0.0) box_grid_ = std::min(box_grid_, grid_of(inner));
            most_ = std::max(most_, std::fabs(outer));
        }
    for (int j = 1; j < width_ && box; ++j) box = lo_[at(j)] < hi_[at(j)];
    if (!box) {
        offset_ = 0;
        most_ = box_grid_ = 1.0;
        exact = true;
        lo_.assign(at(width_), -1.0);
        hi_.assign(at(width_), 1.0);
        lo_[0] = 0.0;
        outer_lo_ = lo_;
        outer_hi_ = hi_;
        domain_rows_.clear();
        for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
            bool constant = rows[at(k)][0].sign() >= 0;
            for (int c = 1; c < width_; ++c) constant = constant && rows[at(k)][at(c)].sign() == 0;
            if (!constant) domain_rows_.push_back(k);
        }
    }
    if (!exact) box_grid_ = 0.0;
    center_.resize(at(width_));
    half_.resize(at(width_));
    for (int k = 0; k < width_; ++k) {
        center_[at(k)] = lo_[at(k)] / 2 + hi_[at(k)] / 2;
        half_[at(k)] = hi_[at(k)] / 2 - lo_[at(k)] / 2;
    }
    middle_.x = center_;
    if (offset_ == 0) {
        middle_.x.assign(at(width_), 0.0);
        middle_.x[0] = 1.0;
    }
}

bool Programs::domain(std::vector<int>& rows, Tableau& tableau, Point& point) {
    rows.clear();
    for (const int k : domain_rows_) rows.push_back(add({-1, k, 0, 0}));
    clear(tableau);
    if (!rows.empty()) return nonempty(tableau, rows, {}, point);
    point = middle_;
    return true;
}

int Programs::add(const Origin& origin) {
    const int row = size();
    values_.resize(at(row + 1) * at(width_));
    scaled_.resize(at(row + 1) * at(width_ + 1));
    double* v = values_.data() + at(row) * at(width_);
    Row r{origin, 0.0, 0.0, 0.0, 0.0};
    if (origin.level >= 0) {
        const auto view = levels_.difference(origin.level, form(origin, origin.winner), form(origin, origin.loser), v);
        r.n1 = view.n1;
        r.er = view.er;
        r.grid = view.grid;
    } else {
        const IntVector& exact = levels_.network().rows[at(origin.selector)];
        std::int64_t bits = 0;
        for (const Int& x : exact) bits = std::max(bits, x.bits());
        if (bits <= 53) {
            for (int k = 0; k < width_; ++k) v[k] = exact[at(k)].to_double();
            r.grid = faults_.no_grids ? 0.0 : 1.0;
        } else {
            round_to_doubles(exact.data(), width_, v);
            r.er = rounded_integers;
        }
        for (int k = 0; k < width_; ++k) r.n1 += std::fabs(v[k]);
        r.n1 *= slack;
    }
    // In the variables of the tableau: normals, then the constant.
    double* scaled = scaled_.data() + at(row) * at(width_ + 1);
    double constant = 0.0, square = 0.0;
    for (int k = 0; k < width_; ++k) constant += v[k] * center_[at(k)];
    for (int k = offset_; k < width_; ++k) {
        scaled[k - offset_] = v[k] * half_[at(k)];
        square += scaled[k - offset_] * scaled[k - offset_];
    }
    scaled[width_ - offset_] = constant;
    // A form that is nearly constant on the box is scaled by its constant.
    r.scale = 1.0 / std::max(std::sqrt(square), std::fabs(constant) * 0x1p-30);
    for (int k = 0; k <= width_ - offset_; ++k) scaled[k] *= r.scale;
    rows_.push_back(r);
    return row;
}

void Programs::forget(int from) {
    rows_.resize(at(from));
    values_.resize(at(from) * at(width_));
    scaled_.resize(at(from) * at(width_ + 1));
}

// A row without usable doubles is left to the integers.
void Programs::enter(Tableau& tableau, int row) const {
    const double* scaled = scaled_.data() + at(row) * at(width_ + 1);
    double sum = 0.0;
    for (int k = 0; k <= width_ - offset_; ++k) sum += std::fabs(scaled[k]);
    if (sum < HUGE_VAL)
        simplex_.enter(tableau, row, scaled, scaled[width_ - offset_]);
    else
        tableau.entered.push_back(row);
}

void Programs::negate(Tableau& tableau, int row, int negative) const {
    const auto& entered = tableau.entered;
    if (std::find(entered.begin(), entered.end(), row) == entered.end())
        enter(tableau, negative);
    else if (!simplex_.negate(tableau, row, negative))
        simplex_.clear(tableau);
}

bool Programs::chance(double probability) {
    return probability > 0.0 && std::uniform_real_distribution<double>(0.0, 1.0)(random_) < probability;
}

bool Programs::nonempty(Tableau& tableau, std::vector<int>& rows, const std::vector<Rivals>& rivals, Point& point) {
    ++levels_.tally.programs;
    if (chance(faults_.programs)) return decide_exactly(tableau, rows, rivals, point);
    const std::uint64_t before = simplex_.pivots;
    bool cold = false, known = false, answer = false;
    while (!known) {
        const Simplex::Proposal proposal = simplex_.solve(tableau);
        if (proposal == Simplex::Proposal::inside) {
            propose_point(tableau, point);
            Check check = in_box(point.x.data()) ? check_rows(&tableau, rows, point.x.data()) : Check::failed;
            if (check == Check::positive) check = check_rivals(&tableau, rows, rivals, point.x.data());
            if (check == Check::entered) continue;
            if (check == Check::positive && !levels_.fault()) {
                ++levels_.tally.points;
                known = answer = true;
                break;
            }
        } else if (proposal == Simplex::Proposal::outside && refuted(tableau)) {
            known = true;
            break;
        }
        if (cold) break;
        cold = true;
        simplex_.clear(tableau);  // once more, without the errors of all pivots on the path
    }
    levels_.tally.pivots += simplex_.pivots - before;
    return known ? answer : decide_exactly(tableau, rows, rivals, point);
}

void Programs::propose_point(const Tableau& tableau, Point& point) {
    point.exact = false;
    point.x.resize(at(width_));
    point.x[0] = 1.0;
    simplex_.point(tableau, point.x.data() + offset_);
    for (int k = offset_; k < width_; ++k) {
        double& x = point.x[at(k)];
        x = std::min(std::max(center_[at(k)] + half_[at(k)] * x, lo_[at(k)]), hi_[at(k)]);
        if (faults_.point_bits > 0) x = round_to_bits(x, faults_.point_bits);
    }
}

bool Programs::in_box(const double* x) const {
    for (int k = 0; k < width_; ++k)
        if (!(x[k] >= lo_[at(k)] && x[k] <= hi_[at(k)])) return false;
    return true;
}

double Programs::value(int row, const double* x) const {
    const double* v = values(row);
    double s[4] = {};  // four sums side by side are faster than one
    int k = 0;
    for (; k + 4 <= width_; k += 4)
        for (int i = 0; i < 4; ++i) s[i] += v[k + i] * x[k + i];
    for (; k < width_; ++k) s[0] += v[k] * x[k];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

// Whether all rows are positive at x. If one is not that is not in the tableau, the worst of these is entered, unless
// one that is there is no better: where t is 0, nothing changes with more rows that are 0.
Programs::Check Programs::check_rows(Tableau* tableau, const std::vector<int>& rows, const double* x) {
    const SignBound bound(most_, 0.0, width_);
    bool all = true;
    int worst = -1;
    double least = HUGE_VAL, least_entered = HUGE_VAL;
    for (const int row : rows) {
        const Row& r = rows_[at(row)];
        const double s = value(row, x);
        if (s > bound.at(r.n1, r.er)) continue;
        all = false;
        if (tableau == nullptr) break;
        const double scaled = s * r.scale;
        if (worst >= 0 && scaled >= std::min(least, least_entered)) continue;
        const auto& entered = tableau->entered;
        if (std::find(entered.begin(), entered.end(), row) != entered.end()) {
            least_entered = std::min(least_entered, scaled);
            continue;
        }
        worst = row;
        least = scaled;
    }
    if (all) return Check::positive;
    if (worst < 0 || least >= least_entered - 0x1p-40) return Check::failed;
    enter(*tableau, worst);
    return Check::entered;
}

// The same for rows of rivals: for each winner the class that beats it most becomes a row.
Programs::Check Programs::check_rivals(Tableau* tableau, std::vector<int>& rows, const std::vector<Rivals>& rivals,
                                       const double* x) {
    const SignBound bound(most_, 0.0, width_);
    bool entered = false;
    int level = -1;
    for (const Rivals& group : rivals) {
        const Level& forms = levels_[group.level];
        if (group.level != level) {
            level = group.level;
            scores_.resize(at(forms.pad));
            peaks_.resize(at(forms.pad / 8 + 8));
            evaluate(forms.form.data(), forms.pad, width_, x, scores_.data(), peaks_.data());
        }
        const auto own = at(levels_.score_of(level, group.selector, group.winner));
        int worst = -1;
        double largest = -HUGE_VAL;
        for (const int rival : group.classes) {
            const auto other = at(levels_.score_of(level, group.selector, rival));
            if (exceeds(scores_[own], bound.at(forms.n1[own], forms.er[own]), scores_[other],
                        bound.at(forms.n1[other], forms.er[other])))
                continue;
            if (is_among(rows, {group.level, group.selector, group.winner, rival})) continue;
            if (tableau == nullptr) return Check::failed;
            if (worst < 0 || scores_[other] > largest) {
                worst = rival;
                largest = scores_[other];
            }
        }
        if (worst < 0) continue;
        rows.push_back(add({group.level, group.selector, group.winner, worst}));
        enter(*tableau, rows.back());
        entered = true;
    }
    return entered ? Check::entered : Check::positive;
}

// Whether a rival has its own row, which has been checked by itself.
bool Programs::is_among(const std::vector<int>& rows, const Origin& origin) const {
    return std::any_of(rows.rbegin(), rows.rend(), [&](int row) {
        const Origin& o = rows_[at(row)].origin;
        return o.level == origin.level && o.selector == origin.selector && o.winner == origin.winner &&
               o.loser == origin.loser;
    });
}

bool Programs::beyond(int row, const std::vector<int>& rows, const Point& point, std::vector<double>& x) {
    if (point.exact) return false;
    const double* v = values(row);
    const double speed = std::inner_product(v + offset_, v + width_, v + offset_, 0.0);
    const double first = value(row, point.x.data()) / speed;
    double next = 2.0 * first;
    for (const int other : rows) {
        if (other == row) continue;
        const double* o = values(other);
        const double s = std::inner_product(v + offset_, v + width_, o + offset_, 0.0);
        if (s * next > value(other, point.x.data())) next = value(other, point.x.data()) / s;
    }
    for (int k = offset_; k < width_; ++k) {
        const double room = v[k] > 0.0 ? point.x[at(k)] - lo_[at(k)] : point.x[at(k)] - hi_[at(k)];
        if (std::fabs(v[k]) * next > std::fabs(room)) next = room / v[k];
    }
    if (!(next > first)) return false;
    x = point.x;
    const double step = first / 2 + next / 2;
    for (int k = offset_; k < width_; ++k) x[at(k)] -= step * v[k];
    if (!in_box(x.data()) || levels_.fault()) return false;
    const SignBound bound(most_, 0.0, width_);
    for (const int other : rows) {
        const Row& r = rows_[at(other)];
        const double s = value(other, x.data());
        if (!((other == row ? -s : s) > bound.at(r.n1, r.er))) return false;
    }
    return true;
}

bool Programs::refuted(const Tableau& tableau) {
    support_.clear();
    weight_.clear();
    for (int c = 0; c < simplex_.columns(); ++c) {
        const int row = simplex_.form_in(tableau, c);
        double l = simplex_.multiplier(tableau, c);
        if (row < 0 || !(l > 0.0)) continue;
        if (faults_.perturbed) l *= 1.0 + std::uniform_real_distribution<double>(0.0, 0.05)(random_);
        support_.push_back(row);
        weight_.push_back(l * rows_[at(row)].scale);
    }
    if (support_.empty() || levels_.fault()) return false;
    if (refuted_by_floats()) {
        ++levels_.tally.multipliers;
        return true;
    }
    if (refuted_on_grids()) {
        ++levels_.tally.whole_multipliers;
        return true;
    }
    return false;
}

double Programs::largest_on_box(const double* c) const {
    double sum = 0.0;
    for (int k = 0; k < width_; ++k) sum += std::max(c[k] * outer_lo_[at(k)], c[k] * outer_hi_[at(k)]);
    return sum;
}

void Programs::combine() {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (std::size_t i = 0; i < support_.size(); ++i) {
        const double* v = values(support_[i]);
        for (int k = 0; k < width_; ++k) sum_[at(k)] += weight_[i] * v[k];
    }
}

bool Programs::refuted_by_floats() {
    double size = 0.0, error = 0.0;
    for (std::size_t i = 0; i < support_.size(); ++i) {
        size += weight_[i] * rows_[at(support_[i])].n1;
        error += weight_[i] * rows_[at(support_[i])].er;
    }
    combine();
    return -largest_on_box(sum_.data()) >
           combination_bound(size, error, static_cast<int>(support_.size()), width_, most_);
}

bool Programs::refuted_on_grids() {
    double largest = 0.0, grid = HUGE_VAL;
    for (const double l : weight_) largest = std::max(largest, l);
    std::size_t kept = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < support_.size(); ++i) {
        if (!(weight_[i] > 0x1p-30 * largest)) continue;  // none of the small integers
        const Row& r = rows_[at(support_[i])];
        if (r.grid == 0.0 || r.er != 0.0) return false;
        grid = std::min(grid, r.grid);
        least = std::min(least, weight_[i]);
        support_[kept] = support_[i];
        weight_[kept++] = weight_[i];
    }
    support_.resize(kept);
    weight_.resize(kept);
    for (int factor = 1; factor <= 48; ++factor) {
        double off = 0.0;
        for (const double l : weight_) {
            const double multiple = l / least * factor;
            off = std::max(off, std::fabs(multiple - std::nearbyint(multiple)));
        }
        if (!(off < 0x1p-20)) continue;
        double size = 0.0;
        for (std::size_t i = 0; i < kept; ++i) {
            weight_[i] = std::nearbyint(weight_[i] / least * factor);
            size += weight_[i] * rows_[at(support_[i])].n1;
        }
        if (!exact_on_grids(size, grid, most_, box_grid_)) return false;
        combine();
        return largest_on_box(sum_.data()) <= 0.0;
    }
    return false;
}

}  // namespace exactgeo
