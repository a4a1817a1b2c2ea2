#include "sketch.hpp"

namespace exactgeo {

namespace {

__extension__ using Wide = unsigned __int128;
constexpr Word prime = (Word{1} << 61) - 1;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

Word product(Word a, Word b) {
    const Wide x = static_cast<Wide>(a) * b;
    const Word sum = (static_cast<Word>(x) & prime) + static_cast<Word>(x >> 61);
    return sum >= prime ? sum - prime : sum;
}
Word sum(Word a, Word b) { return a + b >= prime ? a + b - prime : a + b; }
Word inverse(Word a) {  // a^(P - 2)
    Word power = 1;
    for (Word bits = prime - 2; bits != 0; bits >>= 1, a = product(a, a))
        if ((bits & 1) != 0) power = product(power, a);
    return power;
}

}  // namespace

Choices::Choices(const Network& network, const Layout& layout)
    : network_(network), layout_(layout), support_(network.stages.size()), needed_(network.stages.size()) {
    for (int s = 0; s < network.depth(); ++s) needed_[at(s)].resize(at((network.stages[at(s)].terms() + 63) / 64));
    for (int s = 1; s <= network.depth(); ++s) {
        const Weights& weights = network.stages[at(s)].weights;
        support_[at(s)].assign(at(weights.rows()), Bits(needed_[at(s - 1)].size()));
        for (int i = 0; i < weights.rows(); ++i)
            for (int k = 0; k < weights.columns(); ++k)
                if (!weights.zero(i, k)) meet(support_[at(s)][at(i)], k);
    }
}

void Choices::need(int s, int form) {
    if (s == 0) return;
    const Bits& support = support_[at(s)][at(form)];
    for (std::size_t w = 0; w < support.size(); ++w) needed_[at(s - 1)][w] |= support[w];
}

void Choices::of(const Word* pattern, Word* choices) {
    std::fill_n(choices, layout_.words, Word{0});
    for (Bits& bits : needed_) std::fill(bits.begin(), bits.end(), Word{0});
    for (int i = 0; i + 1 < network_.stages.back().forms(); ++i) need(layout_.depth, i);
    for (int s = layout_.depth - 1; s >= 0; --s) {
        const Stage& stage = network_.stages[at(s)];
        const Bits& needed = needed_[at(s)];
        for (int g = 0; g < stage.selectors(); ++g) {
            const int selector = layout_.first_selector[at(s)] + g;
            const int first = stage.value_first[at(stage.first[at(g)] + layout_.name(pattern, selector))];
            bool any = false;
            for (int k = 0; k < stage.value_length(g); ++k) {
                if (!has(needed, stage.column[at(g)] + k)) continue;
                any = true;
                need(s, stage.value[at(first + k)]);
            }
            if (any) layout_.set(choices, layout_.candidate(pattern, selector));
        }
        for (std::size_t b = 0; b < stage.bases.size(); ++b)
            if (has(needed, stage.values + static_cast<int>(b))) need(s, stage.bases[b]);
    }
}

Residues::Residues(const Network& network)
    : network_(network), width_(at(network.width())), stages_(network.stages.size()), inverse_(2, 1) {
    Int value;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        const Weights& weights = network.stages[s].weights;
        Stage_& own = stages_[s];
        own.weights.reserve(at(weights.rows()) * at(weights.columns()));
        for (int i = 0; i < weights.rows(); ++i)
            for (int k = 0; k < weights.columns(); ++k) {
                weights.exact(i, k, value);
                own.weights.push_back(value.residue(prime));
            }
        own.forms.resize(at(weights.rows()) * width_);
        own.made.resize(at(weights.rows()));
        own.terms.resize(at(network.stages[s].terms()) * width_);
    }
}

const Word* Residues::form(int s, int form) {
    Stage_& own = stages_[at(s)];
    Word* row = own.forms.data() + at(form) * width_;
    if (own.made[at(form)] != 0) return row;
    own.made[at(form)] = 1;
    const auto columns = at(network_.stages[at(s)].weights.columns());
    const Word* weight = own.weights.data() + at(form) * columns;
    if (s == 0) {
        std::copy_n(weight, width_, row);
        return row;
    }
    std::fill_n(row, width_, Word{0});
    const Word* terms = stages_[at(s - 1)].terms.data();
    for (std::size_t k = 0; k < columns; ++k)
        for (std::size_t c = 0; weight[k] != 0 && c < width_; ++c)
            if (terms[k * width_ + c] != 0) row[c] = sum(row[c], product(weight[k], terms[k * width_ + c]));
    return row;
}

Word Residues::of(const Path& path, int depth) {
    const int from = begun_ ? path.kept : 0;  // this level is as before, its winners are not
    for (int s = from; s <= depth; ++s) {
        Stage_& own = stages_[at(s)];
        if (s > from || !begun_) std::fill(own.made.begin(), own.made.end(), std::uint8_t{0});
        if (s == depth) break;
        const Stage& stage = network_.stages[at(s)];
        const Level& level = path.levels[s];
        for (int g = 0; g < stage.selectors(); ++g) {
            const int lowest = level.low[at(stage.first[at(g)] + level.won[at(g)])];
            int members = 0;
            for (int j = lowest; j >= 0; j = level.next[at(j)]) ++members;
            while (inverse_.size() <= at(members)) inverse_.push_back(inverse(inverse_.size()));
            for (int k = 0; k < stage.value_length(g); ++k) {
                Word* term = own.terms.data() + at(stage.column[at(g)] + k) * width_;
                std::fill_n(term, width_, Word{0});
                for (int j = lowest; j >= 0; j = level.next[at(j)]) {
                    const Word* value = form(s, stage.value[at(stage.value_first[at(j)] + k)]);
                    for (std::size_t c = 0; c < width_; ++c) term[c] = sum(term[c], value[c]);
                }
                for (std::size_t c = 0; members > 1 && c < width_; ++c)
                    term[c] = product(term[c], inverse_[at(members)]);
            }
        }
        for (std::size_t b = 0; b < stage.bases.size(); ++b)
            std::copy_n(form(s, stage.bases[b]), width_, own.terms.data() + (at(stage.values) + b) * width_);
    }
    begun_ = true;
    Word hash = 0;
    for (int i = 0; i + 1 < network_.stages[at(depth)].forms(); ++i)
        for (std::size_t c = 0; c < width_; ++c) hash = sum(product(hash, 0x9e3779b97f4a7c1), form(depth, i)[c]);
    return hash;
}

}  // namespace exactgeo
