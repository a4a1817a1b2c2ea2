#include "path.hpp"

#include <cmath>

namespace exactgeo {

Path::Path(const Network& network, const Layout& layout, const Faults& faults)
    : levels(network, faults),
      layout_(layout),
      now_(at(layout.words)),
      other_(at(network.width())),
      plane_(at(network.width())),
      difference_(at(network.width())) {
    int sums = 0;
    for (int s = 0; s + 1 < static_cast<int>(network.stages.size()); ++s) sums = std::max(sums, levels.sums_size(s));
    sums_.resize(at(sums));
}

int Path::class_of(int s, int g, int name) const {
    const int first = levels.stage(s).first[at(g)];
    const int* low = levels[s].low.data() + first;
    return static_cast<int>(std::lower_bound(low, low + levels[s].classes[at(g)], first + name) - low);
}

void Path::go(const Word* pattern, int last) {
    if (ready_ < 0) {
        levels.begin_first();
        ready_ = 0;
        std::copy_n(pattern, layout_.words, now_.begin());
    }
    int from = 0;
    for (bool same = true; from < ready_; ++from) {
        const int first = layout_.first_selector[at(from)];
        for (int g = 0; g < levels.stage(from).selectors() && same; ++g)
            same = layout_.name(pattern, first + g) == layout_.name(now_.data(), first + g);
        if (!same) break;
    }
    std::copy_n(pattern, layout_.words, now_.begin());
    kept = ready_ = from;
    for (; ready_ < last; ++ready_) {
        const int s = ready_;
        levels.clear_sums(s, sums_.data());
        for (int g = 0; g < levels.stage(s).selectors(); ++g) {
            levels[s].won[at(g)] = class_of(s, g, layout_.name(pattern, layout_.first_selector[at(s)] + g));
            levels.add_winner(s, sums_.data(), g, levels[s].won[at(g)]);
        }
        levels.begin(s, sums_.data());
    }
}

int Path::form(std::uint32_t candidate) const {
    const int s = layout_.stage_of(layout_.selector_of(candidate));
    return levels.stage(s).score[candidate - static_cast<std::uint32_t>(layout_.first_candidate[at(s)])];
}

void Path::row(const Word* pattern, std::uint32_t loser, Int* row) {
    const int selector = layout_.selector_of(loser);
    levels.exact_difference(layout_.stage_of(selector), form(layout_.candidate(pattern, selector)), form(loser), row);
}

void Path::step(const Word* pattern, std::uint32_t loser, int last, Word* beyond) {
    const int own = layout_.selector_of(loser), s = layout_.stage_of(own), width = levels.width();
    std::copy_n(pattern, layout_.words, beyond);
    go(pattern, s);
    row(pattern, loser, plane_.data());
    std::vector<double> v(at(width));
    round_to_doubles(plane_.data(), width, v.data());
    int pivot = 0;
    while (plane_[at(pivot)].sign() == 0) ++pivot;
    for (int t = s; t <= last; ++t) {
        if (t > s) go(beyond, t);
        for (int g = 0; g < levels.stage(t).selectors(); ++g) {
            const int selector = layout_.first_selector[at(t)] + g;
            const int first = levels.stage(t).first[at(g)];
            const int w = levels.stage(t).score[at(first + layout_.name(pattern, selector))];
            int steepest = -1;
            bool found = false;
            for (int c = 0; c < levels[t].classes[at(g)]; ++c) {
                const int low = levels[t].low[at(first + c)], i = levels.stage(t).score[at(low)];
                if (!multiple(t, i, w, plane_.data(), v.data(), rounded_integers)) continue;
                // score_i - score_w, on the pivot, over the plane's: the smaller, the larger beyond.
                one_ = levels.exact_form(t, i)[pivot];
                one_.subtract(levels.exact_form(t, w)[pivot]);
                if (plane_[at(pivot)].sign() < 0) one_.negate();
                if (found && one_.compare(best_) >= 0) continue;
                found = true;
                best_ = one_;
                steepest = low;
            }
            layout_.set(beyond, static_cast<std::uint32_t>(layout_.first_candidate[at(t)] + steepest));
        }
    }
}

// Whether the difference of two forms is a multiple of the plane, which is v within er; zero is one.
bool Path::multiple(int s, int form_a, int form_b, const Int* plane, const double* v, double er) {
    if (form_a == form_b) return true;
    const int width = levels.width();
    const auto view = levels.difference(s, form_a, form_b, other_.data());
    int lead = 0;
    for (int c = 1; c < width; ++c)
        if (std::fabs(v[c]) > std::fabs(v[lead])) lead = c;
    for (int c = 0; c < width; ++c) {
        const double x = v[lead] * other_[at(c)] - v[c] * other_[at(lead)];
        const double bound = crossing_error(v[lead], er, std::fabs(other_[at(c)]), view.er, v[c], er,
                                            std::fabs(other_[at(lead)]), view.er);
        if (std::fabs(x) > bound && !levels.fault()) return false;
    }
    ++levels.tally.exact;
    const Int *a = levels.exact_form(s, form_a), *b = levels.exact_form(s, form_b);
    for (int c = 0; c < width; ++c) difference_[at(c)].set_difference(a[c], b[c]);
    for (int c = 0; c < width; ++c) {
        one_.set_product(difference_[at(c)], plane[lead]);
        two_.set_product(difference_[at(lead)], plane[c]);
        if (one_ != two_) return false;
    }
    return true;
}

}  // namespace exactgeo
