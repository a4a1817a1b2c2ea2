// Which scores of a level are the same function: the classes of its selectors, and their gaps.
#include <algorithm>

#include "level.hpp"
#include "loops.hpp"

namespace exactgeo {

void Levels::find_classes(int s) {
    using Word = std::uint64_t;
    const Stage& st = stage(s);
    Level& level = levels_[size(s)];
    const auto for_all = [](Word bits, int w, const auto& then) {
        for (; bits != 0; bits &= bits - 1) then(64 * w + __builtin_ctzll(bits));
    };
    const auto set = [&](int g, bool same) {
        const int first = st.first[size(g)];
        level.classes[size(g)] = same ? 1 : 2;
        level.low[size(first + 1)] = first + 1;
        level.next[size(first)] = same ? first + 1 : -1;
        if (!same) return;
        for (int c = 0; c < width_; ++c) level.gap[size(c * level.gap_pad + g)] = 0.0;
        level.gap_n1[size(g)] = level.gap_er[size(g)] = 0.0;
    };
    const int count = (st.selectors() + 7) / 8 * 8;
    differences({level.form.data(), level.er.data(), level.most.data(), level.grid, level.pad, width_, count,
                 level.second.data(), level.first.data(), level.run},
                {level.gap.data(), level.gap_pad, level.gap_n1.data(), level.gap_er.data(), level.two.data()});
    for (int w = 0; w < level.gap_pad / 64; ++w) {
        Word& two = level.two[size(w)];
        two = faulty() ? 0 : two & level.paired[size(w)];
        tally.floats += static_cast<Word>(__builtin_popcountll(two));
        Word same = 0;
        for_all(level.paired[size(w)] & ~two, w, [&](int g) {
            if (same_score(s, level.first[size(g)], level.second[size(g)]))
                same |= Word{1} << (g & 63);
            else
                two |= Word{1} << (g & 63);
        });
        for_all(level.same[size(w)] & ~same, w, [&](int g) { set(g, false); });
        for_all(same, w, [&](int g) { set(g, true); });
        level.same[size(w)] = same;
        level.many[size(w)] = 0;
    }
    for (const int g : level.long_ones) {
        group(s, g);
        const Word bit = Word{1} << (g & 63);
        if (level.classes[size(g)] > 2) level.many[size(g >> 6)] |= bit;
        if (level.classes[size(g)] != 2) continue;
        level.two[size(g >> 6)] |= bit;
        row_.resize(size(width_));
        const RowView view = difference(s, score_of(s, g, 1), score_of(s, g, 0), row_.data());
        for (int c = 0; c < width_; ++c) level.gap[size(c * level.gap_pad + g)] = row_[size(c)];
        level.gap_n1[size(g)] = view.n1;
        level.gap_er[size(g)] = view.er;
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
        if (std::fabs(x) > coordinate_bound(er, a, b) && !fault()) {
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
