#include "level.hpp"

#include <algorithm>

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
        level.next = level.low;
        level.paired.assign(size(st.forms()), 0);
        level.made = level.paired;
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
                   width_, next.pad);
        accumulate_size(sums + (width_ + 1) * next.pad, column, level.most[size(form)], next.pad);
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
        accumulate(sums, column, v, term_error(er, most, st.terms()), width_, next.pad);
        if (level.next[size(lowest)] < 0)
            accumulate_size(sums + (width_ + 1) * next.pad, column, most, next.pad);
        else  // a mean need not be on the grid
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
    for (int i = 0; i < forms; ++i) largest = std::max(largest, sizes[i]);
    if (!(largest * slack < whole * level.grid) || !(level.grid >= 0x1p-400)) level.grid = 0.0;
    level.shift = 0;
    double most = 0.0, terms_most = 0.0;
    for (int i = 0; i < forms; ++i)
        for (int c = 0; c < width_; ++c) most = std::max(most, std::fabs(level.form[size(c * pad + i)]));
    for (int i = 0; i < stage(s).forms(); ++i)
        terms_most = larger_bound(terms_most, before.most[size(i)] + before.er[size(i)]);
    for (int i = 0; i < forms; ++i)
        level.er[size(i)] =
            level.grid > 0.0 ? 0.0 : errors[i] * slack + cut_error(weights.cut(i), weights.most(i), terms_most) + tiny;
    for (int i = 0; i < forms; ++i)  // nothing was added: exactly zero
        if (weights.zero_row(i) || (sizes[i] == 0.0 && errors[i] == 0.0 && weights.cut(i) == 0))
            level.er[size(i)] = 0.0;
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
    }
    finish(s + 1);
}

void Levels::finish(int s) {
    Level& level = levels_[size(s)];
    const int forms = stage(s).forms(), pad = level.pad;
    if (faults_.no_grids) level.grid = 0.0;
    std::fill(level.made.begin(), level.made.end(), std::uint8_t{0});
    std::fill(level.paired.begin(), level.paired.end(), std::uint8_t{0});
    std::fill(level.n1.begin(), level.n1.end(), 0.0);
    std::fill(level.most.begin(), level.most.end(), 0.0);
    for (int c = 0; c < width_; ++c) {
        const double* column = level.form.data() + c * pad;
        for (int i = 0; i < pad; ++i) {
            const double x = std::fabs(column[i]);
            level.n1[size(i)] += x;
            level.most[size(i)] = std::max(level.most[size(i)], x);
        }
    }
    for (int i = 0; i < forms; ++i) {
        level.n1[size(i)] *= slack;
        // Not the other way round: what is no number has to be refined.
        if (s > 0 && (faults_.refine || !(level.er[size(i)] <= refined_above * level.most[size(i)]))) refine(s, i);
    }
    level.terms_made = level.pair_terms_made = false;
    find_classes(s);
}

void Levels::refine(int s, int form) {
    Level& level = levels_[size(s)];
    if (level.grid > 0.0 && level.er[size(form)] == 0.0) return;
    make_pair(s, form);
    ++tally.refined;
    const Pair* row = level.pairs.data() + form * width_;
    double n1 = 0.0, most = 0.0;
    for (int c = 0; c < width_; ++c) {
        n1 += std::fabs(row[c].hi);
        most = std::max(most, std::fabs(row[c].hi));
    }
    const double er = rounded_pair_error(level.pair_er[size(form)], most);
    // Errors that are no numbers are replaced, too.
    if (!(er < HUGE_VAL) || level.er[size(form)] <= er) return;
    for (int c = 0; c < width_; ++c) level.form[size(c * level.pad + form)] = row[c].hi;
    level.er[size(form)] = er;
    level.n1[size(form)] = n1 * slack;
    level.most[size(form)] = most;
}

void Levels::make_pair(int s, int form) {
    Level& level = levels_[size(s)];
    if (level.paired[size(form)]) return;
    const Weights& weights = stage(s).weights;
    if (level.pairs.empty()) {
        level.pairs.resize(size(stage(s).forms() * width_));
        level.pair_er.resize(size(stage(s).forms()));
    }
    Pair* row = level.pairs.data() + form * width_;
    double er = 0.0;
    const auto weight = [&](int column) {
        const double* low = weights.low_column(column);
        return Pair{weights.column(column)[form], low == nullptr ? 0.0 : low[form]};
    };
    if (s == 0) {
        for (int c = 0; c < width_; ++c) row[c] = weight(c);
        const double most = weights.most(form);
        er = weights.grid() > 0.0 ? 0.0 : pair_term_error(0.0, most, 1) + cut_error(weights.cut(form), most, 1.0);
    } else {
        make_pair_terms(s - 1);
        const Level& before = levels_[size(s - 1)];
        const int terms = stage(s - 1).terms();
        std::fill_n(row, width_, Pair{});
        double terms_most = 0.0;
        for (int k = 0; k < terms; ++k) {
            const Pair w = weight(k);
            const Pair* value = before.pair_terms.data() + k * width_;
            double most = 0.0;
            for (int c = 0; c < width_; ++c) most = std::max(most, std::fabs(value[c].hi));
            terms_most = larger_bound(terms_most, (most + before.pair_term_er[size(k)]) * slack);
            if (w.hi == 0.0) continue;
            for (int c = 0; c < width_; ++c) add_product(row[c], w, value[c]);
            er += std::fabs(w.hi) * slack * pair_term_error(before.pair_term_er[size(k)], most * slack, terms);
        }
        er = er * slack + cut_error(weights.cut(form), weights.most(form), terms_most) + tiny;
        if (level.shift != 0) {
            const double factor = std::ldexp(1.0, level.shift);
            for (int c = 0; c < width_; ++c) row[c] = {row[c].hi * factor, row[c].lo * factor};
            er = er * factor + tiny;
        }
    }
    level.pair_er[size(form)] = er;
    level.paired[size(form)] = 1;
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
        const auto copy = [&](int term, int form) {
            make_pair(r, form);
            std::copy_n(level.pairs.begin() + form * width_, width_, level.pair_terms.begin() + term * width_);
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
                    make_pair(r, form);
                    for (int c = 0; c < width_; ++c)
                        add_product(sum[c], level.pairs[size(form * width_ + c)], {1.0, 0.0});
                    er += level.pair_er[size(form)];
                }
                for (int c = 0; c < width_; ++c) {
                    sum[c] = {sum[c].hi / members, sum[c].lo / members};
                    most = std::max(most, std::fabs(sum[c].hi));
                }
                double total = 0.0;
                for (int j = lowest; j >= 0; j = level.next[size(j)]) {
                    const int form = st.value[size(st.value_first[size(j)] + k)];
                    for (int c = 0; c < width_; ++c) total += std::fabs(level.pairs[size(form * width_ + c)].hi);
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

const Pair* Levels::pair_form(int s, int form) {
    make_pair(s, form);
    return levels_[size(s)].pairs.data() + form * width_;
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
