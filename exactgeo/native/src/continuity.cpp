#include "continuity.hpp"

namespace exactgeo {

namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

class Forms {
public:
    Forms(const Stage& stage, int constant)
        : stage_(stage), constant_(constant), score_(at(stage.weights.columns())), other_(score_.size()) {}

    bool continuous(int first, int size, int i, int j) {
        return multiples(first + i, first + j) || apart(first, size, i, j);
    }

private:
    void difference(int a, int b, IntVector& row) {
        for (std::size_t k = 0; k < row.size(); ++k) {
            stage_.weights.exact(a, static_cast<int>(k), row[k]);
            stage_.weights.exact(b, static_cast<int>(k), one_);
            row[k].subtract(one_);
        }
    }
    bool multiples(int i, int j) {
        const int score_i = stage_.score[at(i)], score_j = stage_.score[at(j)];
        bool made = false;
        std::size_t lead = 0;
        for (int k = 0; k < stage_.value_first[at(i + 1)] - stage_.value_first[at(i)]; ++k) {
            const int value_i = stage_.value[at(stage_.value_first[at(i)] + k)];
            const int value_j = stage_.value[at(stage_.value_first[at(j)] + k)];
            if (value_i == value_j || (value_i == score_i && value_j == score_j)) continue;
            if (!made) {
                difference(score_i, score_j, score_);
                while (lead + 1 < score_.size() && score_[lead].sign() == 0) ++lead;
                made = true;
            }
            difference(value_i, value_j, other_);
            // Cross products; the zero score has the zero value as its only multiple.
            for (std::size_t c = 0; c < score_.size(); ++c) {
                if (score_[lead].sign() == 0 && other_[c].sign() != 0) return false;
                one_.set_product(other_[c], score_[lead]);
                two_.set_product(score_[c], other_[lead]);
                if (one_ != two_) return false;
            }
        }
        return true;
    }
    bool apart(int first, int size, int i, int j) {
        if (size > 16) return false;
        for (int k = 0; k < size; ++k) {
            if (k == i || k == j) continue;
            difference(stage_.score[at(first + k)], stage_.score[at(first + i)], score_);
            difference(stage_.score[at(first + k)], stage_.score[at(first + j)], other_);
            bool constant = true;
            for (std::size_t c = 0; c < score_.size(); ++c) {
                score_[c].add(other_[c]);
                constant = constant && (score_[c].sign() == 0 || static_cast<int>(c) == constant_);
            }
            if (constant && score_[at(constant_)].sign() > 0) return true;
        }
        return false;
    }

    const Stage& stage_;
    int constant_;
    IntVector score_, other_;
    Int one_, two_;
};

}  // namespace

Continuity::Continuity(const Network& network, const Layout& layout)
    : kind_(at(layout.selectors()), Kind::whole), pairs_(at(layout.selectors())), truly_(at(layout.selectors())) {
    for (int s = 0; s < network.depth(); ++s) {
        const Stage& stage = network.stages[at(s)];
        Forms forms(stage, s == 0 ? 0 : stage.weights.columns() - 1);
        for (int g = 0; g < stage.selectors(); ++g) {
            const std::size_t selector = at(layout.first_selector[at(s)] + g);
            const int first = stage.first[at(g)], size = stage.first[at(g + 1)] - first;
            if (s + 1 == network.depth()) {
                bool all = true;
                for (int i = 0; i < size && all; ++i)
                    for (int j = 0; j < i && all; ++j) all = forms.continuous(first, size, i, j);
                truly_[selector] = all ? 1 : 0;
                continue;
            }
            if (size > most) {
                kind_[selector] = Kind::nowhere;
                continue;
            }
            Pairs& pairs = pairs_[selector];
            pairs.size = size;
            pairs.at.assign(at(size * size), 0);
            int found = 0;
            for (int i = 0; i < size; ++i)
                for (int j = 0; j < i; ++j)
                    if (forms.continuous(first, size, i, j)) {
                        pairs.at[at(i * size + j)] = pairs.at[at(j * size + i)] = 1;
                        ++found;
                    }
            kind_[selector] = 2 * found == size * (size - 1) ? Kind::whole : found > 0 ? Kind::some : Kind::nowhere;
            truly_[selector] = kind_[selector] == Kind::whole ? 1 : 0;
        }
    }
}

}  // namespace exactgeo
