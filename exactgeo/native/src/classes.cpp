// Which scores of a level are the same function: the classes of its selectors, and their gaps.
#include <algorithm>

#include "level.hpp"

namespace exactgeo {

void Levels::find_classes(int s) {
    const Stage& st = stage(s);
    Level& level = levels_[size(s)];
    double v[64];
    std::vector<double> wide;
    double* row = v;
    if (width_ > 64) {
        wide.resize(size(width_));
        row = wide.data();
    }
    for (int g = 0; g < st.selectors(); ++g) {
        const int first = st.first[size(g)], last = st.first[size(g + 1)];
        if (last - first == 2) {
            const bool same = same_score(s, st.score[size(first)], st.score[size(first + 1)]);
            level.classes[size(g)] = same ? 1 : 2;
            level.low[size(first)] = first;
            level.low[size(first + 1)] = first + 1;
            level.next[size(first)] = same ? first + 1 : -1;
            level.next[size(first + 1)] = -1;
        } else {
            group(s, g);
        }
        if (level.classes[size(g)] == 2) {
            const RowView view = difference(s, score_of(s, g, 1), score_of(s, g, 0), row);
            for (int c = 0; c < width_; ++c) level.gap[size(c * level.gap_pad + g)] = row[c];
            level.gap_n1[size(g)] = view.n1;
            level.gap_er[size(g)] = view.er;
        } else {
            for (int c = 0; c < width_; ++c) level.gap[size(c * level.gap_pad + g)] = 0.0;
            level.gap_n1[size(g)] = level.gap_er[size(g)] = 0.0;
        }
    }
}

// Classes of a selector with any number of candidates, in the order of their lowest members: candidates are sorted by
// one functional of their scores, and only those whose values are within their errors of each other are compared.
void Levels::group(int s, int selector) {
    const Stage& st = stage(s);
    Level& level = levels_[size(s)];
    const int first = st.first[size(selector)], last = st.first[size(selector + 1)];
    order_.clear();
    double spread = 0.0;
    for (int j = first; j < last; ++j) {
        const int form = st.score[size(j)];
        double value = 0.0;
        for (int c = 0; c < width_; ++c) value += level.form[size(c * level.pad + form)] / (c + 1.5);
        const double off = (width_ * level.er[size(form)] + (2 * width_ + 4) * unit * level.n1[size(form)]) * slack;
        spread = larger_bound(spread, off);
        order_.emplace_back(value, j);
        level.next[size(j)] = -1;
    }
    bool numbers = spread < HUGE_VAL;
    for (const auto& [value, j] : order_) numbers = numbers && std::fabs(value) < HUGE_VAL;
    if (!numbers) spread = HUGE_VAL;  // all are compared with all
    if (numbers) std::sort(order_.begin(), order_.end());
    std::vector<int> lowest(size(last - first));
    for (int j = first; j < last; ++j) lowest[size(j - first)] = j;
    for (std::size_t a = 0; a < order_.size(); ++a)
        for (std::size_t b = a + 1; b < order_.size(); ++b) {
            if (order_[b].first - order_[a].first > 2 * spread + tiny) break;
            const int i = order_[a].second, j = order_[b].second;
            int& li = lowest[size(i - first)];
            int& lj = lowest[size(j - first)];
            if (li != lj && same_score(s, st.score[size(i)], st.score[size(j)])) {
                const int low = std::min(li, lj), high = std::max(li, lj);
                for (int& l : lowest)
                    if (l == high) l = low;
            }
        }
    int classes = 0;
    for (int j = first; j < last; ++j) {
        const int low = lowest[size(j - first)];
        if (low == j) {
            level.low[size(first + classes++)] = j;
            continue;
        }
        int end = low;
        while (level.next[size(end)] >= 0) end = level.next[size(end)];
        level.next[size(end)] = j;
    }
    level.classes[size(selector)] = classes;
}

bool Levels::same_score(int s, int form_a, int form_b) {
    if (form_a == form_b) return true;
    const Level& level = levels_[size(s)];
    const double er = level.er[size(form_a)] + level.er[size(form_b)];
    bool zero = true;
    for (int c = 0; c < width_; ++c) {
        const double a = level.form[size(c * level.pad + form_a)], b = level.form[size(c * level.pad + form_b)];
        const double x = a - b;
        const double bound = (er + 2 * unit * (std::fabs(a) + std::fabs(b))) * slack + tiny;
        if (std::fabs(x) > bound && !fault()) {
            ++tally.floats;
            return false;
        }
        zero = zero && x == 0.0;
    }
    if (er == 0.0 && level.grid > 0.0 && !fault()) {  // differences of exact doubles vanish just if they are equal
        ++tally.grids;
        return zero;
    }
    ++tally.exact;
    const Int* a = exact_form(s, form_a);
    const Int* b = exact_form(s, form_b);
    for (int c = 0; c < width_; ++c)
        if (a[c] != b[c]) return false;
    return true;
}

}  // namespace exactgeo
