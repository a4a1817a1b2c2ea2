// The split tree of a certificate (``proofs_check/FORMAT.md``, sections 4 and 5), told by the tree on generators.
//
// The records of a node are those that its place in the tree's order needs:
//
// - where selectors have become settled, ``B`` and ``E`` that remove their losing classes;
// - where it is branched on a selector, the same for the classes into which it is not branched, then ``M``;
// - where it is a cell, ``L`` with a point.
//
// *What is possible.* A checker's ``B`` removes every class that some other one beats at the corners, of all selectors
// that it has not settled; so what it knows of long selectors is kept here, class by class, and the same rule is
// applied to them. Of a selector with two classes it removes one just if its gap has a sign at the corners, hence on
// the node: such a selector is settled on the node, and its claim is among those at hand. So both agree on every node
// which classes are possible, and no record is void.
//
// *E or B.* A bound costs a checker as much as there are unsettled selectors to look at, evidence for one class a fixed
// amount: the cheaper one for what a vertex shows is written.
//
// The text is a function of the path from the root. What is possible is kept along the path, with a trail to go back
// by; a child is known by the class that has won there, so that a path may be entered at any child.
#pragma once

#include <charconv>
#include <string>

#include "evidence.hpp"
#include "longs.hpp"
#include "witness.hpp"

namespace exactgeo {

// ``domain``: the number of each row of the network's domain; ``listed``: how many there are in the certificate.
struct Proving {
    std::vector<int> domain;
    int listed = 0;
    bool multipliers = false;
    bool leaves = false;  // patterns and sketches are wanted
};

template <int D>
class Proof final : public Sink<D> {
public:
    using Place = typename Sink<D>::Place;

    Proof(const Network& network, const Proving& proving, Cells& out)
        : proving_(proving), out_(out), stages_(network.stages.size()) {
        int first = proving.listed;
        for (const Stage& stage : network.stages) {
            first_.push_back(first);
            first += stage.first.empty() ? 0 : stage.first.back();
        }
    }

    void stage(Place at, int s, const Part& /*part*/) override {
        const Stage& stage = at.levels.stage(s);
        const Level& level = at.levels[s];
        Known& own = stages_[size(s)];
        own.longs.clear();
        own.number.assign(size(stage.selectors()), -1);
        own.possible.clear();
        own.unsettled = {};
        for (int g = 0; g < stage.selectors(); ++g) {
            const int classes = level.classes[size(g)];
            if (classes == 2) ++own.unsettled.two;
            if (classes <= 2) continue;
            own.number[size(g)] = static_cast<int>(own.longs.size());
            own.longs.push_back({g, classes, classes, own.possible.size()});
            own.possible.resize(own.possible.size() + size(classes), 1);
            own.unsettled.classes += classes;
            own.unsettled.pairs += static_cast<std::int64_t>(classes) * classes;
        }
    }

    void settled(Place at, int s, const Part& part, const std::vector<std::pair<int, int>>& winners) override {
        const int branched = enter(s, winners);
        Known& own = stages_[size(s)];
        int most = 0;
        for (const auto& [g, w] : winners) {
            const int n = own.number[size(g)];
            most += n < 0 ? 1 : own.longs[size(n)].left;
        }
        claims_.begin(most);
        for (const auto& [g, w] : winners) {
            if (g == branched) continue;
            const int n = own.number[size(g)];
            if (n < 0)
                claims_.add(at.levels, s, {g, w, 1 - w}, true);
            else
                for (int j = 0; j < own.longs[size(n)].classes; ++j)
                    if (j != w && possible(own, n, j)) claims_.add(at.levels, s, {g, w, j}, true);
        }
        eliminate(at, s, part);
    }

    void branch(Place at, int s, const Part& part, int g, const std::vector<int>& classes) override {
        Known& own = stages_[size(s)];
        const int n = own.number[size(g)];
        if (n >= 0) exclude_all_but(at, s, part, n, classes);
        begin_record('M');
        number(g);
        end_record();
        frames_.push_back({s, g, -1, places_.size(), classes.size(), trail_.size(), own.unsettled});
        places_.insert(places_.end(), classes.begin(), classes.end());
        entering_ = true;
    }

    // Class w of a selector wins nowhere on what is left of a part, as there ``row``, its score minus a rival's, is
    // nowhere positive.
    void beaten(Place at, int s, const Part& part, int g, int w, int rival) override {
        const Known& own = stages_[size(s)];
        if (!possible(own, own.number[size(g)], w)) return;
        const std::size_t before = text_.size();
        const std::int64_t records = records_;
        const Claim claim{g, rival, w};
        write_evidence(at, part, s, claim, evidence_.support_of(at, part, s, claim));
        deaths_.emplace_back(w, text_.substr(before));
        text_.resize(before);
        records_ = records;
    }

    void cell(Place at, const Part& part) override {
        begin_record('L');
        witness_.find(at, part);
        for (const Int& entry : witness_.point()) integer(entry);
        end_record();
        entering_ = true;
        out_.text.append(text_);
        out_.records += records_;
        out_.line.push_back(static_cast<std::int64_t>(out_.text.size() - (text_.size() - line_)));
        text_.clear();
        records_ = 0;
        if (proving_.leaves) out_.sketch(at.levels);
        out_.add(at.levels, proving_.leaves);
    }

private:
    using Word = std::uint64_t;
    struct Long {
        int g, classes, left;
        std::size_t first;  // of its classes among those of its stage
    };
    // Of a stage begun: how many unsettled selectors have two classes, how many classes the others have, and how many
    // pairs of a possible class and a class.
    struct Unsettled {
        int two = 0;
        std::int64_t classes = 0, pairs = 0;
    };
    // What the checker knows of a stage begun: of long selectors what is possible.
    struct Known {
        std::vector<Long> longs;
        std::vector<int> number;
        std::vector<std::uint8_t> possible;
        Unsettled unsettled;
    };
    // A branch on the path: its classes among ``places_``, the child at hand, and where the state was.
    struct Frame {
        int s, g, child;
        std::size_t first, count, trail;
        Unsettled unsettled;
    };
    struct Removed {
        int s, n, j;
    };

    static std::size_t size(std::int64_t k) { return static_cast<std::size_t>(k); }
    static bool possible(const Known& own, int n, int j) {
        return own.possible[own.longs[size(n)].first + size(j)] != 0;
    }

    // -- the path
    // ------------------------------------------------------------------------------------------------------

    // The selector that was branched on above this node, or -1 where a stage begins.
    int enter(int s, const std::vector<std::pair<int, int>>& winners) {
        if (!entering_) return -1;
        entering_ = false;
        while (!frames_.empty() && size(frames_.back().child + 1) == frames_.back().count) {
            places_.resize(frames_.back().first);
            frames_.pop_back();
        }
        if (frames_.empty()) throw std::logic_error("a node that is below no branch");
        Frame& frame = frames_.back();
        for (; trail_.size() > frame.trail; trail_.pop_back()) {
            const Removed& last = trail_.back();
            if (last.s != frame.s) continue;  // of a stage that will begin anew
            Known& own = stages_[size(last.s)];
            own.possible[own.longs[size(last.n)].first + size(last.j)] = 1;
            ++own.longs[size(last.n)].left;
        }
        Known& own = stages_[size(frame.s)];
        own.unsettled = frame.unsettled;
        for (const auto& [g, w] : winners) {
            if (g != frame.g || s != frame.s) continue;
            for (std::size_t k = 0; k < frame.count; ++k)
                if (places_[frame.first + k] == w) frame.child = static_cast<int>(k);
            const int n = own.number[size(g)];
            if (n < 0)
                --own.unsettled.two;
            else
                for (int j = 0; j < own.longs[size(n)].classes; ++j)
                    if (j != w && possible(own, n, j)) remove(s, n, j);
            return g;
        }
        throw std::logic_error("a child in which the selector is not settled");
    }
    void remove(int s, int n, int j) {
        Known& own = stages_[size(s)];
        Long& entry = own.longs[size(n)];
        own.possible[entry.first + size(j)] = 0;
        own.unsettled.pairs -= static_cast<std::int64_t>(--entry.left == 1 ? 2 : 1) * entry.classes;
        if (entry.left == 1) own.unsettled.classes -= entry.classes;
        trail_.push_back({s, n, j});
    }

    // -- what cannot win
    // -----------------------------------------------------------------------------------------------

    // Evidence for the claims about the part; one that is not sure may be left without.
    void eliminate(Place at, int s, const Part& part) {
        if (claims_.entries.empty()) return;
        if (part.line_count == 0) {
            evidence_.look(at, part);
            evidence_.propose(at, part, claims_, part.count);
        }
        for (int vertex = most_votes(part); vertex >= 0; vertex = most_votes(part)) {
            if (part.line_count == 0 && vertex < part.count && at_vertex(at, s, part, vertex)) continue;
            for (std::size_t k = 0; k < claims_.entries.size(); ++k) {  // floats have chosen badly, or there are lines
                if (!claims_.is_left(k) || (part.line_count == 0 && claims_.vertex[k] != vertex)) continue;
                const auto& [claim, sure, support] = claims_.entries[k];
                if (sure) {
                    write_evidence(at, part, s, claim, evidence_.support_of(at, part, s, claim));
                    gone(s, claim);
                }
                claims_.done(k);
            }
        }
    }
    // The vertex where most claims that are left seem to be least; -1 if none is left.
    int most_votes(const Part& part) {
        votes_.assign(size(part.count + 1), 0);  // the last one for those whose floats are no numbers
        bool any = false;
        for (std::size_t w = 0; w < claims_.words(); ++w)
            for (Word bits = claims_.left[w]; bits != 0; bits &= bits - 1) {
                any = true;
                const std::size_t k = 64 * w + size(__builtin_ctzll(bits));
                if (part.line_count == 0) ++votes_[size(claims_.vertex[k])];
            }
        return any ? static_cast<int>(std::max_element(votes_.begin(), votes_.end()) - votes_.begin()) : -1;
    }
    // What a vertex shows; false where that is nothing.
    bool at_vertex(Place at, int s, const Part& part, int vertex) {
        auto& entries = claims_.entries;
        if (!evidence_.simple_basis(at, part, vertex)) {
            std::size_t k = 0;
            while (k < entries.size() && !(claims_.is_left(k) && claims_.vertex[k] == vertex && entries[k].sure)) ++k;
            if (k == entries.size()) return false;
            vertex = evidence_.peeled_basis(at, part, s, entries[k].claim);
        }
        evidence_.make_corners(at, part, vertex);
        const int found = evidence_.cover(at, s, claims_);
        Known& own = stages_[size(s)];
        const auto& [two, classes, pairs] = own.unsettled;
        const bool bounds = pairs + 4 * two <= most_pairs && two + classes <= cheap * found;
        if (found > 0 && bounds) {
            write_bounds(at, part);
            for (int n = 0; n < static_cast<int>(own.longs.size()); ++n)
                if (own.longs[size(n)].left > 1) remove_dominated(at, s, n);
        }
        for (std::size_t w = 0; w < claims_.words() && found > 0; ++w)
            for (Word bits = own.longs.empty() ? claims_.covered[w] : claims_.left[w]; bits != 0; bits &= bits - 1) {
                const std::size_t k = 64 * w + size(__builtin_ctzll(bits));
                const Claim& claim = entries[k].claim;
                const int n = own.number[size(claim.g)];
                if (!bounds && claims_.is_covered(k)) {
                    write_evidence(at, part, s, claim, evidence_.support_of(entries[k]));
                    gone(s, claim);
                    claims_.done(k);
                } else if (bounds && (n >= 0 ? !possible(own, n, claim.loser) : claims_.is_covered(k))) {
                    if (n < 0) --own.unsettled.two;
                    claims_.done(k);
                }
            }
        evidence_.drop_corners(at);
        return found > 0;
    }
    void gone(int s, const Claim& claim) {
        Known& own = stages_[size(s)];
        const int n = own.number[size(claim.g)];
        if (n >= 0)
            remove(s, n, claim.loser);
        else
            --own.unsettled.two;
    }

    // Before a branch on a long selector: classes that one of those that win beats everywhere, then the others.
    void exclude_all_but(Place at, int s, const Part& part, int n, const std::vector<int>& classes) {
        Known& own = stages_[size(s)];
        const Long entry = own.longs[size(n)];
        claims_.begin(entry.left);
        const auto wins = [&](int j) { return std::binary_search(classes.begin(), classes.end(), j); };
        for (int j = 0; j < entry.classes; ++j) {
            if (wins(j) || !possible(own, n, j)) continue;
            if (part.line_count == 0) claim_dominated(at, s, part, entry.g, j, classes);
        }
        eliminate(at, s, part);
        for (int j = 0; j < entry.classes; ++j) {
            if (wins(j) || !possible(own, n, j)) continue;
            const auto known = [&] {
                return std::find_if(deaths_.begin(), deaths_.end(),
                                    [&](const auto& death) { return death.first == j; });
            };
            if (known() == deaths_.end()) at.longs.refute(s, entry.g, j, part);
            if (known() == deaths_.end()) throw std::logic_error("a class that wins is not among the branches");
            text_ += known()->second;
            ++records_;
            remove(s, n, j);
        }
        deaths_.clear();
    }
    // A claim that one of the classes beats j everywhere, if floats say so.
    void claim_dominated(Place at, int s, const Part& part, int g, int j, const std::vector<int>& classes) {
        for (const int i : classes) {
            double v[D];
            const auto view = at.levels.difference(s, at.levels.score_of(s, g, i), at.levels.score_of(s, g, j), v);
            bool beats = true;
            for (int m = 0; m < part.count && beats; ++m) {
                const Ray<D>& ray = at.vectors.ray(at.cones.ray(at.cones.member(part, m)));
                double value = 0.0;
                for (int c = 0; c < D; ++c) value += v[c] * ray.x[c];
                beats = value >= -SignBound(ray.mx, ray.e, D).at(view.n1, view.er);
            }
            if (beats) return claims_.add(at.levels, s, {g, i, j}, false);
        }
    }

    // -- what a bound removes of a long selector
    // -----------------------------------------------------------------------

    void remove_dominated(Place at, int s, int n) {
        const Long entry = stages_[size(s)].longs[size(n)];
        const auto& corners = evidence_.corners();
        values_.resize(corners.size() * size(entry.classes));
        bounds_.resize(values_.size());
        order_.clear();
        for (int j = 0; j < entry.classes; ++j) {
            const Level& level = at.levels[s];
            const int form = at.levels.score_of(s, entry.g, j);
            double total = 0.0;
            for (std::size_t m = 0; m < corners.size(); ++m) {
                const Ray<D>& ray = at.vectors.ray(corners[m]);
                double value = 0.0;
                for (int c = 0; c < D; ++c) value += level.form[size(c * level.pad + form)] * ray.x[c];
                values_[size(j) * corners.size() + m] = value;
                bounds_[size(j) * corners.size() + m] =
                    SignBound(ray.mx, ray.e, D).at(level.n1[size(form)], level.er[size(form)]);
                total += value;
            }
            order_.emplace_back(total, j);
        }
        // Largest sums first: they beat most. The order is a proposition, so both ways are tried.
        std::sort(order_.begin(), order_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        front_.clear();
        for (const auto& [total, j] : order_) {
            const auto beats = [&, j = j](int i) { return dominates(at, s, entry.g, i, j); };
            if (std::any_of(front_.begin(), front_.end(), beats)) continue;
            front_.erase(std::remove_if(front_.begin(), front_.end(),
                                        [&, j = j](int i) { return dominates(at, s, entry.g, j, i); }),
                         front_.end());
            front_.push_back(j);
        }
        for (int j = 0; j < entry.classes; ++j)
            if (possible(stages_[size(s)], n, j) && std::find(front_.begin(), front_.end(), j) == front_.end())
                remove(s, n, j);
    }
    // Whether class i is nowhere less than j at the corners.
    bool dominates(Place at, int s, int g, int i, int j) {
        const auto& corners = evidence_.corners();
        const double *vi = &values_[size(i) * corners.size()], *vj = &values_[size(j) * corners.size()];
        const double *bi = &bounds_[size(i) * corners.size()], *bj = &bounds_[size(j) * corners.size()];
        for (std::size_t m = 0; m < corners.size(); ++m)
            if (exceeds(vj[m], bj[m], vi[m], bi[m]) && !at.levels.faulty()) return false;
        for (std::size_t m = 0; m < corners.size(); ++m)
            if ((at.levels.faulty() || !exceeds(vi[m], bi[m], vj[m], bj[m])) &&
                evidence_.sign_at(at, s, {g, i, j}, corners[m]) == Sign::negative)
                return false;
        return true;
    }

    // -- text
    // ----------------------------------------------------------------------------------------------------------

    void begin_record(char kind) {
        line_ = text_.size();
        text_ += "[\"";
        text_ += kind;
        text_ += '"';
        ++records_;
    }
    void end_record() {
        text_ += "]\n";
        out_.longest = std::max(out_.longest, text_.size() - line_);
    }
    void number(std::int64_t x) {
        char digits[24];
        text_ += ',';
        text_.append(digits, std::to_chars(digits, digits + 24, x).ptr);
    }
    void integer(const Int& x) {
        if (x.fits()) return number(x.small());
        text_ += ',';
        const std::size_t before = text_.size();
        x.append_to(text_);
        out_.digits = std::max(out_.digits, text_.size() - before - (x.sign() < 0 ? 1 : 0));
    }
    template <class Entries, class Write>
    void list(const Entries& entries, Write write) {
        text_ += ",[";
        const std::size_t comma = text_.size();
        for (const auto& entry : entries) write(entry);
        text_.erase(comma, 1);
        text_ += ']';
    }

    [[nodiscard]] int number_of(Place at, int s, int g, int c) const {
        return first_[size(s)] + at.levels[s].low[size(at.levels.stage(s).first[size(g)] + c)];
    }
    [[nodiscard]] int number_of(Place at, int ref) const {
        const Origin& origin = at.vectors.row(Vectors<D>::index(ref)).origin;
        if (origin.level < 0) return proving_.domain[size(origin.selector)];
        return number_of(at, origin.level, origin.selector, ref < 0 ? origin.winner : origin.loser);
    }

    void write_bounds(Place at, const Part& part) {
        cited_.clear();
        for (const int slot : evidence_.basis()) cited_.emplace_back(number_of(at, at.cones.slots(part)[slot]), slot);
        std::sort(cited_.begin(), cited_.end());
        begin_record('B');
        list(cited_, [&](const auto& row) { number(row.first); });
        end_record();
    }
    // That the loser cannot win: its score minus the winner's and the rows in these slots have a negative combination.
    void write_evidence(Place at, const Part& part, int s, const Claim& claim, const std::vector<int>& support) {
        const auto& [g, winner, loser] = claim;
        cited_.clear();
        cited_.emplace_back(number_of(at, s, g, winner), -1);
        for (const int slot : support) cited_.emplace_back(number_of(at, at.cones.slots(part)[slot]), slot);
        std::sort(cited_.begin(), cited_.end());
        begin_record('E');
        number(g);
        number(at.levels[s].low[size(at.levels.stage(s).first[size(g)] + loser)] - at.levels.stage(s).first[size(g)]);
        list(cited_, [&](const auto& row) { number(row.first); });
        if (proving_.multipliers) {
            rows_.clear();
            for (const auto& [name, slot] : cited_) {
                rows_.emplace_back(D);
                if (slot < 0) {
                    at.levels.exact_difference(s, at.levels.score_of(s, g, loser), at.levels.score_of(s, g, winner),
                                               rows_.back().data());
                    continue;
                }
                const int ref = at.cones.slots(part)[slot];
                const Int* exact = at.vectors.exact_row(ref);
                rows_.back().assign(exact, exact + D);
                if (ref < 0)
                    for (Int& x : rows_.back()) x.negate();
            }
            evidence_.multipliers(rows_, multipliers_);
            list(multipliers_, [&](const Int& x) { integer(x); });
        }
        end_record();
    }

    // As FORMAT.md, section 9, has it: pairs of a possible class and a class that a bound may compare.
    static constexpr std::int64_t most_pairs = 1'000'000;
    // So many unsettled selectors with two classes cost a checker in a bound what evidence for one class costs.
    static constexpr int cheap = 20;

    const Proving& proving_;
    Cells& out_;
    std::vector<Known> stages_;
    std::vector<int> first_;  // the number of each stage's first candidate
    std::vector<Frame> frames_;
    std::vector<int> places_;
    std::vector<Removed> trail_;
    bool entering_ = false;
    Evidence<D> evidence_;
    Witness<D> witness_;
    std::string text_;  // what is not yet followed by a leaf
    std::size_t line_ = 0;
    std::int64_t records_ = 0;
    // Scratch.
    Claims<D> claims_;
    std::vector<std::pair<int, std::string>> deaths_;
    std::vector<int> votes_, front_;
    std::vector<std::pair<int, int>> cited_;
    std::vector<double> values_, bounds_;
    std::vector<std::pair<double, int>> order_;
    std::vector<IntVector> rows_;
    IntVector multipliers_;
};

}  // namespace exactgeo
