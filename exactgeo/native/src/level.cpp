#include "level.hpp"

#include <algorithm>
#include <numeric>  // iota

#include "loops.hpp"

namespace exactgeo {

Levels::Levels(const Network& network, const Faults& faults)
    : network_(network),
      faults_(faults),
      width_(network.width()),
      levels_(network.stages.size()),
      random_(faults.seed) {
    for (std::size_t s = 0; s < levels_.size(); ++s) {
        const Stage& st = network.stages[s];
        Level& level = levels_[s];
        level.pad = st.weights.pad();
        level.form.assign(size(width_ * level.pad), 0.0);
        level.er.assign(size(level.pad), 0.0);
        level.n1 = level.most = level.er;
        level.gap_pad = (st.selectors() + 63) / 64 * 64;
        level.gap.assign(size(width_ * level.gap_pad), 0.0);
        level.gap_er.assign(size(level.gap_pad), 0.0);
        level.gap_n1 = level.gap_er;
        level.classes.assign(size(st.selectors()), 0);
        level.won = level.classes;
        level.low.assign(st.score.size(), 0);
        std::iota(level.low.begin(), level.low.end(), 0);
        level.next.assign(st.score.size(), -1);
        level.made.assign(size(st.forms()), 0);
        level.two.assign(size(level.gap_pad / 64), 0);
        level.many = level.paired = level.same = level.two;
        level.first.assign(size(level.gap_pad), 0);
        level.second = level.first;
        for (int g = 0; g < st.selectors(); ++g) {
            const int first = st.first[size(g)], candidates = st.first[size(g + 1)] - first;
            level.classes[size(g)] = candidates;
            if (candidates > 2) level.long_ones.push_back(g);
            if (candidates != 2) continue;
            level.paired[size(g >> 6)] |= std::uint64_t{1} << (g & 63);
            level.first[size(g)] = st.score[size(first)];
            level.second[size(g)] = st.score[size(first + 1)];
        }
        level.run = st.selectors() > 0 && level.second[0] + (st.selectors() + 7) / 8 * 8 <= level.pad;
        for (int g = 0; g < st.selectors(); ++g)
            level.run =
                level.run && level.second[size(g)] == level.second[0] + g && level.first[size(g)] == level.first[0];
    }
}

int Levels::sums_size(int s) const {
    return s + 1 < static_cast<int>(levels_.size()) ? (width_ + 2) * levels_[size(s + 1)].pad : 0;
}

void Levels::begin_first() {
    Level& level = levels_[0];
    const Weights& weights = stage(0).weights;
    for (int c = 0; c < width_; ++c)
        std::copy_n(weights.column(c), level.pad, level.form.begin() + static_cast<std::ptrdiff_t>(c) * level.pad);
    for (int i = 0; i < stage(0).forms(); ++i)
        level.er[size(i)] = weights.grid() > 0.0 ? 0.0 : term_error(0.0, weights.most(i), 1);
    for (int i = 0; i < stage(0).forms(); ++i) level.er[size(i)] += cut_error(weights.cut(i), weights.most(i), 1.0);
    level.grid = weights.grid();
    level.shift = 0;
    measure(level.form.data(), level.pad, width_, level.n1.data(), level.most.data());
    finish(0);
}

void Levels::clear_sums(int s, double* sums) const {
    std::fill_n(sums, sums_size(s), 0.0);
    const Stage& st = stage(s);
    const Level& level = levels_[size(s)];
    const Level& next = levels_[size(s + 1)];
    const Weights& weights = stage(s + 1).weights;
    std::vector<double> value(size(width_));
    for (std::size_t b = 0; b < st.bases.size(); ++b) {
        const int form = st.bases[b];
        const double* column = weights.column(st.values + static_cast<int>(b));
        for (int c = 0; c < width_; ++c) value[size(c)] = level.form[size(c * level.pad + form)];
        accumulate(sums, column, value.data(), term_error(level.er[size(form)], level.most[size(form)], st.terms()),
                   level.most[size(form)], width_, next.pad);
    }
}

void Levels::add_winner(int s, double* sums, int selector, int winner) const {
    const Stage& st = stage(s);
    const Level& level = levels_[size(s)];
    const Level& next = levels_[size(s + 1)];
    const Weights& weights = stage(s + 1).weights;
    const int length = st.value_length(selector);
    const int lowest = level.low[size(st.first[size(selector)] + winner)];
    double value[64];
    std::vector<double> wide;
    double* v = value;
    if (width_ > 64) {
        wide.resize(size(width_));
        v = wide.data();
    }
    for (int k = 0; k < length; ++k) {
        const int first = st.value[size(st.value_first[size(lowest)] + k)];
        double er = level.er[size(first)], most = level.most[size(first)];
        if (level.next[size(lowest)] < 0) {
            if (most == 0.0 && er == 0.0) continue;
            for (int c = 0; c < width_; ++c) v[c] = level.form[size(c * level.pad + first)];
        } else {  // the mean of all members
            int members = 0;
            er = most = 0.0;
            std::fill_n(v, width_, 0.0);
            for (int j = lowest; j >= 0; j = level.next[size(j)]) {
                const int form = st.value[size(st.value_first[size(j)] + k)];
                for (int c = 0; c < width_; ++c) v[c] += level.form[size(c * level.pad + form)];
                er += level.er[size(form)];
                most += level.most[size(form)];
                ++members;
            }
            er = mean_error(er, most, members);
            most = most / members * slack;
            for (int c = 0; c < width_; ++c) v[c] /= members;
        }
        const double* column = weights.column(st.column[size(selector)] + k);
        accumulate(sums, column, v, term_error(er, most, st.terms()), most, width_, next.pad);
        if (level.next[size(lowest)] >= 0)  // a mean need not be on the grid
            std::fill_n(sums + (width_ + 1) * next.pad, next.pad, HUGE_VAL);
    }
}

void Levels::begin(int s, const double* sums) {
    Level& before = levels_[size(s)];
    Level& level = levels_[size(s + 1)];
    const Weights& weights = stage(s + 1).weights;
    before.terms_made = before.pair_terms_made = false;
    const int forms = stage(s + 1).forms(), pad = level.pad;
    std::copy_n(sums, width_ * pad, level.form.begin());
    const double* errors = sums + width_ * pad;
    const double* sizes = errors + pad;
    level.grid = faults_.no_grids ? 0.0 : before.grid * weights.grid();
    double largest = 0.0;
    for (int i = 0; i < forms && level.grid > 0.0; ++i) largest = std::max(largest, sizes[i]);
    if (!(largest * slack < whole * level.grid) || !(level.grid >= 0x1p-400)) level.grid = 0.0;
    level.shift = 0;
    const double most = measure(level.form.data(), pad, width_, level.n1.data(), level.most.data());
    for (int i = 0; i < forms; ++i) {  // where nothing was added, the form is exactly zero
        const bool exact = level.grid > 0.0 || (sizes[i] == 0.0 && errors[i] == 0.0);
        level.er[size(i)] = exact ? 0.0 : errors[i] * slack + tiny;
    }
    if (weights.cuts()) {
        double terms_most = 0.0;
        for (int i = 0; i < stage(s).forms(); ++i)
            terms_most = larger_bound(terms_most, before.most[size(i)] + before.er[size(i)]);
        for (int i = 0; i < forms; ++i)
            if (weights.cut(i) != 0) level.er[size(i)] += cut_error(weights.cut(i), weights.most(i), terms_most) + tiny;
    }
    if (most > 0x1p100 || (most < 0x1p-100 && most > 0.0)) {
        int exponent = 0;
        std::frexp(most, &exponent);
        level.shift = -exponent;
        const double factor = std::ldexp(1.0, -exponent);
        for (double& x : level.form) x *= factor;
        for (double& x : level.er) x = x * factor + (x > 0.0 ? tiny : 0.0);
        level.grid *= factor;
        if (!(level.grid >= 0x1p-400)) {
            if (level.grid > 0.0)
                for (int i = 0; i < forms; ++i) level.er[size(i)] += tiny;
            level.grid = 0.0;
        }
        measure(level.form.data(), pad, width_, level.n1.data(), level.most.data());
    }
    finish(s + 1);
}

void Levels::finish(int s) {
    Level& level = levels_[size(s)];
    const int forms = stage(s).forms();
    if (faults_.no_grids) level.grid = 0.0;
    std::fill(level.made.begin(), level.made.end(), std::uint8_t{0});
    level.terms_made = level.pairs_made = level.pair_terms_made = false;
    // Not the other way round: what is no number has to be refined.
    bool refined = faults_.refine;
    for (int i = 0; i < forms; ++i) refined |= !(level.er[size(i)] <= refined_above * level.most[size(i)]);
    if (refined && s > 0) refine(s);
    find_classes(s);
}

// All forms from pairs of doubles: those that were good enough are made with those that were not, and then the next
// levels are good.
void Levels::refine(int s) {
    Level& level = levels_[size(s)];
    make_pairs(s);
    for (int i = 0; i < stage(s).forms(); ++i) {
        double &er = level.er[size(i)], n1 = 0.0, most = 0.0;
        if (level.grid > 0.0 && er == 0.0) continue;
        ++tally.refined;
        for (int c = 0; c < width_; ++c) {
            const double x = std::fabs(level.high[size(c * level.pad + i)]);
            n1 += x;
            most = std::max(most, x);
        }
        const double rounded = rounded_pair_error(level.pair_er[size(i)], most);
        // Errors that are no numbers are replaced, too.
        if (!(rounded < HUGE_VAL) || er <= rounded) continue;
        for (int c = 0; c < width_; ++c) level.form[size(c * level.pad + i)] = level.high[size(c * level.pad + i)];
        er = rounded;
        level.n1[size(i)] = n1 * slack;
        level.most[size(i)] = most;
    }
}

// All forms at once: in columns, so that pairs are as cheap as doubles nearly are.
void Levels::make_pairs(int s) {
    Level& level = levels_[size(s)];
    if (level.pairs_made) return;
    level.pairs_made = true;
    const Weights& weights = stage(s).weights;
    const int pad = level.pad, forms = stage(s).forms();
    level.high.assign(size(width_ * pad), 0.0);
    level.low_part = level.high;
    level.pair_er.assign(size(pad), 0.0);
    if (s == 0) {
        for (int c = 0; c < width_; ++c) {
            std::copy_n(weights.column(c), pad, level.high.begin() + c * pad);
            if (const double* low = weights.low_column(c)) std::copy_n(low, pad, level.low_part.begin() + c * pad);
        }
        for (int i = 0; i < forms && !(weights.grid() > 0.0); ++i)
            level.pair_er[size(i)] =
                pair_term_error(0.0, weights.most(i), 1) + cut_error(weights.cut(i), weights.most(i), 1.0);
        return;
    }
    make_pair_terms(s - 1);
    const Level& before = levels_[size(s - 1)];
    const int terms = stage(s - 1).terms();
    double terms_most = 0.0;
    for (int k = 0; k < terms; ++k) {
        const Pair* value = before.pair_terms.data() + k * width_;
        const double er = before.pair_term_er[size(k)];
        double most = 0.0;
        for (int c = 0; c < width_; ++c) most = std::max(most, std::fabs(value[c].hi));
        terms_most = larger_bound(terms_most, (most + er) * slack);
        if (most == 0.0 && er == 0.0) continue;
        accumulate_pairs(level.high.data(), level.low_part.data(), level.pair_er.data(), weights.column(k),
                         weights.low_column(k), value, pair_term_error(er, most * slack, terms), width_, pad);
    }
    const double factor = std::ldexp(1.0, level.shift);
    for (int i = 0; i < width_ * pad && level.shift != 0; ++i) {
        level.high[size(i)] *= factor;
        level.low_part[size(i)] *= factor;
    }
    for (int i = 0; i < forms; ++i) {
        double& er = level.pair_er[size(i)];
        er = er * slack + cut_error(weights.cut(i), weights.most(i), terms_most) + tiny;
        if (level.shift != 0) er = er * factor + tiny;
    }
}

void Levels::make_pair_terms(int s) {
    // From the lowest level that has none upwards: no recursion, however deep the network.
    int from = s;
    while (from > 0 && !levels_[size(from - 1)].pair_terms_made) --from;
    for (int r = from; r <= s; ++r) {
        Level& level = levels_[size(r)];
        if (level.pair_terms_made) continue;
        const Stage& st = stage(r);
        level.pair_terms.assign(size(st.terms() * width_), Pair{});
        level.pair_term_er.assign(size(st.terms()), 0.0);
        make_pairs(r);
        const auto pair = [&](int form, int c) {
            return Pair{level.high[size(c * level.pad + form)], level.low_part[size(c * level.pad + form)]};
        };
        const auto copy = [&](int term, int form) {
            for (int c = 0; c < width_; ++c) level.pair_terms[size(term * width_ + c)] = pair(form, c);
            level.pair_term_er[size(term)] = level.pair_er[size(form)];
        };
        for (int g = 0; g < st.selectors(); ++g) {
            const int lowest = level.low[size(st.first[size(g)] + level.won[size(g)])];
            for (int k = 0; k < st.value_length(g); ++k) {
                const int term = st.column[size(g)] + k;
                if (level.next[size(lowest)] < 0) {
                    copy(term, st.value[size(st.value_first[size(lowest)] + k)]);
                    continue;
                }
                // Means are made from sums of pairs, and divided: a relative error of a few units of a double.
                int members = 0;
                double er = 0.0, most = 0.0;
                Pair* sum = level.pair_terms.data() + term * width_;
                for (int j = lowest; j >= 0; j = level.next[size(j)], ++members) {
                    const int form = st.value[size(st.value_first[size(j)] + k)];
                    for (int c = 0; c < width_; ++c) add_product(sum[c], pair(form, c), {1.0, 0.0});
                    er += level.pair_er[size(form)];
                }
                for (int c = 0; c < width_; ++c) {
                    sum[c] = {sum[c].hi / members, sum[c].lo / members};
                    most = std::max(most, std::fabs(sum[c].hi));
                }
                double total = 0.0;
                for (int j = lowest; j >= 0; j = level.next[size(j)]) {
                    const int form = st.value[size(st.value_first[size(j)] + k)];
                    for (int c = 0; c < width_; ++c) total += std::fabs(pair(form, c).hi);
                }
                level.pair_term_er[size(term)] = mean_error(er, total * slack, members) + unit * most;
            }
        }
        for (std::size_t b = 0; b < st.bases.size(); ++b) copy(st.values + static_cast<int>(b), st.bases[b]);
        level.pair_terms_made = true;
    }
}

Levels::RowView Levels::difference(int s, int form_a, int form_b, double* v) const {
    const Level& level = levels_[size(s)];
    double n1 = 0.0, most = 0.0;
    for (int c = 0; c < width_; ++c) {
        v[c] = level.form[size(c * level.pad + form_a)] - level.form[size(c * level.pad + form_b)];
        n1 += std::fabs(v[c]);
        most = std::max(most, std::fabs(v[c]));
    }
    const bool exact = level.grid > 0.0 && level.most[size(form_a)] + level.most[size(form_b)] < whole * level.grid;
    const double ea = level.er[size(form_a)], eb = level.er[size(form_b)];
    // A difference with an exact zero is no operation.
    const bool copied =
        (level.most[size(form_b)] == 0.0 && eb == 0.0) || (level.most[size(form_a)] == 0.0 && ea == 0.0);
    const double er = exact ? 0.0 : copied ? ea + eb : difference_error(ea, eb, most);
    return {n1 * slack, er, exact ? level.grid : 0.0};
}

const Int* Levels::exact_form(int s, int form) {
    make_exact(s, form);
    return levels_[size(s)].exact.data() + form * width_;
}

void Levels::exact_difference(int s, int form_a, int form_b, Int* row) {
    const Int* a = exact_form(s, form_a);
    const Int* b = exact_form(s, form_b);
    for (int c = 0; c < width_; ++c) row[c].set_difference(a[c], b[c]);
    make_primitive(row, width_, scratch_);
}

void Levels::make_exact(int s, int form) {
    Level& level = levels_[size(s)];
    if (level.made[size(form)]) return;
    const Weights& weights = stage(s).weights;
    if (level.exact.empty()) level.exact.resize(size(stage(s).forms() * width_));
    Int* row = level.exact.data() + form * width_;
    if (s == 0) {
        for (int c = 0; c < width_; ++c) weights.exact(form, c, row[c]);
    } else {
        make_terms(s - 1);
        const Level& before = levels_[size(s - 1)];
        for (int c = 0; c < width_; ++c) row[c] = 0;
        for (int k = 0; k < weights.columns(); ++k) {
            if (weights.zero(form, k)) continue;
            for (int c = 0; c < width_; ++c)
                weights.add_product(row[c], form, k, before.terms[size(k * width_ + c)], scratch_);
        }
    }
    level.made[size(form)] = 1;
}

void Levels::make_terms(int s) {
    int from = s;
    while (from > 0 && !levels_[size(from - 1)].terms_made) --from;
    for (int r = from; r <= s; ++r) {
        Level& level = levels_[size(r)];
        if (level.terms_made) continue;
        const Stage& st = stage(r);
        level.terms.resize(size(st.terms() * width_));
        const auto members_of = [&](int lowest) {
            std::int64_t members = 0;
            for (int j = lowest; j >= 0; j = level.next[size(j)]) ++members;
            return members;
        };
        mean_ = 1;
        for (int g = 0; g < st.selectors(); ++g) {
            const int lowest = level.low[size(st.first[size(g)] + level.won[size(g)])];
            if (level.next[size(lowest)] >= 0) mean_.absorb_lcm(members_of(lowest));
        }
        for (int g = 0; g < st.selectors(); ++g) {
            const int lowest = level.low[size(st.first[size(g)] + level.won[size(g)])];
            share_ = mean_;
            share_.divide_exactly(members_of(lowest));
            for (int k = 0; k < st.value_length(g); ++k) {
                Int* term = level.terms.data() + (st.column[size(g)] + k) * width_;
                for (int c = 0; c < width_; ++c) term[c] = 0;
                for (int j = lowest; j >= 0; j = level.next[size(j)]) {
                    const Int* value = exact_form(r, st.value[size(st.value_first[size(j)] + k)]);
                    for (int c = 0; c < width_; ++c) term[c].add_product(value[c], share_);
                }
            }
        }
        for (std::size_t b = 0; b < st.bases.size(); ++b) {
            Int* term = level.terms.data() + (st.values + static_cast<int>(b)) * width_;
            const Int* value = exact_form(r, st.bases[b]);
            for (int c = 0; c < width_; ++c) {
                term[c].set_product(value[c], mean_);
            }
        }
        // One factor for all of them; without it deep levels grow for nothing.
        make_primitive(level.terms.data(), st.terms() * width_, mean_);
        level.terms_made = true;
    }
}

}  // namespace exactgeo
