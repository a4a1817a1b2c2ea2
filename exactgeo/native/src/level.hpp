// Levels: the stages on the path from the root of the split tree, each on the parent at hand.
//
// A *level* is a stage pulled back to the input along the winners of the stages before: its forms as doubles in columns
// with errors (``lemma.hpp``), on request as pairs of doubles and as exact integers; the classes of its selectors;
// the *gaps*, second minus first score, of selectors with two classes; and, once they are known, the winners.
//
// The sums over winners are made on the way down the tree: a node has the sums of its parent and adds the terms of the
// selectors that it settles, so that a level costs what changes. A level is a function of the path alone, not of who
// came before: doubles are written once, when it begins.
//
// Exact forms come from the winners on the path and need no memory beside the level; they are kept once made, and lose
// their validity when the level begins anew. All exact forms of a level have one positive factor, and so have the
// doubles.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "lemma.hpp"
#include "stages.hpp"

namespace exactgeo {

// Faults to be injected by tests; all answers stay the same.
struct Faults {
    double unsure = 0.0;    // a sign that a filter has decided is called undecided with this probability
    bool refine = false;    // every level is made again in pairs of doubles
    bool no_grids = false;  // nothing is known to be exact
    double lies = 0.0;      // a sign is turned round with this probability: answers do not stay the same
    std::uint64_t seed = 1;
    // For linear programs.
    double programs = 0.0;   // a linear program is decided in integers with this probability
    bool perturbed = false;  // multipliers are changed by some percent
    int point_bits = 0;      // points are rounded to so many bits, if not 0

    [[nodiscard]] bool any() const { return unsure > 0.0 || lies > 0.0; }
};

// How many signs were decided by what.
struct Tally {
    std::uint64_t floats = 0, grids = 0, exact = 0, refined = 0, exact_rays = 0, nodes = 0;
    // Linear programs: all, pivots in doubles, and what decided them: a point or multipliers in doubles, multipliers on
    // grids, integers.
    std::uint64_t programs = 0, pivots = 0, points = 0, multipliers = 0, whole_multipliers = 0, exact_programs = 0;
    void add(const Tally& other) {
        floats += other.floats;
        grids += other.grids;
        exact += other.exact;
        refined += other.refined;
        exact_rays += other.exact_rays;
        nodes += other.nodes;
        programs += other.programs;
        pivots += other.pivots;
        points += other.points;
        multipliers += other.multipliers;
        whole_multipliers += other.whole_multipliers;
        exact_programs += other.exact_programs;
    }
};

struct Level {
    int pad = 0;                              // entries of a column of forms
    std::vector<double> form;                 // width columns
    std::vector<double> er, n1, most;         // of each form: error, sum and maximum of absolute values
    double grid = 0.0;                        // of all forms, 0 if one is not exact
    int shift = 0;                            // forms are times 2^shift, beside the shifts of the weights
    int gap_pad = 0;                          // entries of a column of gaps, a multiple of 64
    std::vector<double> gap, gap_er, gap_n1;  // selector g has column g; zero where it has not two classes
    std::vector<std::uint64_t> two, many;     // selectors with two classes, with more, as bits
    std::vector<int> classes;                 // of each selector how many
    std::vector<int> low;                     // of class c of selector g, at first[g] + c: its lowest candidate
    std::vector<int> next;                    // of each candidate the next one of its class, or -1
    std::vector<int> won;                     // of each selector the winning class, once the stage is settled
    // Of selectors with two candidates their scores (form 0 twice for all others), a bit each, and those whose scores
    // are the same here.
    std::vector<int> second, first;
    std::vector<std::uint64_t> paired, same;
    bool run = false;            // their scores are second[0] + g and first[0]
    std::vector<int> long_ones;  // selectors with more candidates

    // Beyond doubles; what is not marked is not there.
    std::vector<double> high, low_part, pair_er;  // forms as pairs of doubles, in columns as above
    std::vector<Pair> pair_terms;                 // width entries each
    std::vector<double> pair_term_er;
    IntVector exact;  // forms, width entries each
    std::vector<std::uint8_t> made;
    IntVector terms;
    bool terms_made = false, pairs_made = false, pair_terms_made = false;
};

// The levels of one path through a network, and all signs that are asked of it.
class Levels {
public:
    Levels(const Network& network, const Faults& faults);

    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] const Stage& stage(int s) const { return network_.stages[size(s)]; }
    [[nodiscard]] Level& operator[](int s) { return levels_[size(s)]; }
    [[nodiscard]] const Level& operator[](int s) const { return levels_[size(s)]; }
    [[nodiscard]] int width() const { return width_; }

    // Sums of stage s for the forms of stage s + 1: how many doubles they are.
    [[nodiscard]] int sums_size(int s) const;
    void begin_first();
    // The level s + 1 from the sums over all winners of level s, which are in won.
    void begin(int s, const double* sums);
    // The sums of level s before any selector is settled: the bases.
    void clear_sums(int s, double* sums) const;
    // Adds the value of a class that has won a selector.
    void add_winner(int s, double* sums, int selector, int winner) const;

    // A row score_a - score_b of level s in doubles, for classes or candidates by their lowest members.
    struct RowView {
        double n1, er, grid;
    };
    RowView difference(int s, int form_a, int form_b, double* v) const;
    // The same in exact integers, primitive.
    void exact_difference(int s, int form_a, int form_b, Int* row);
    // The exact forms of a level, each with ``width`` entries.
    const Int* exact_form(int s, int form);
    // The same in pairs of doubles, in the columns of the level.
    void make_pairs(int s);
    [[nodiscard]] int score_of(int s, int selector, int which) const {
        const Stage& st = stage(s);
        return st.score[size(levels_[size(s)].low[size(st.first[size(selector)] + which)])];
    }

    // Whether a filter's verdict is to be ignored, for tests.
    bool fault() { return faults_.any() && chance() < faults_.unsure; }
    Sign told(Sign sign) { return faults_.any() && chance() < faults_.lies ? -sign : sign; }
    [[nodiscard]] bool faulty() const { return faults_.any(); }

    Tally tally;

private:
    static std::size_t size(int k) { return static_cast<std::size_t>(k); }
    double chance() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }
    void finish(int s);
    void refine(int s);
    void find_classes(int s);
    void group(int s, int selector);
    bool same_score(int s, int form_a, int form_b);
    void make_pair_terms(int s);
    void make_terms(int s);
    void make_exact(int s, int form);

    const Network& network_;
    Faults faults_;
    int width_;
    std::vector<Level> levels_;
    std::mt19937_64 random_;
    Int scratch_, mean_, share_;
    std::vector<std::pair<double, int>> order_;
    std::vector<double> row_;
};

}  // namespace exactgeo
