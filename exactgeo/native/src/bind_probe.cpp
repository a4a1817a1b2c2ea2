// For tests: the levels along one path, in every precision.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>

#include "bind.hpp"
#include "level.hpp"

namespace nb = nanobind;

namespace exactgeo {

namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

using Table = std::vector<std::vector<double>>;

Faults faults_of(double unsure, bool refine, bool no_grids, std::uint64_t seed) {
    Faults faults;
    faults.unsure = unsure;
    faults.refine = refine;
    faults.no_grids = no_grids;
    faults.seed = seed;
    return faults;
}

// The levels from the first one down to the current one.
class Probe {
public:
    Probe(const Network& network, double unsure, bool refine, bool no_grids, std::uint64_t seed)
        : levels_(network, faults_of(unsure, refine, no_grids, seed)) {
        levels_.begin_first();
    }

    [[nodiscard]] int level() const { return level_; }

    void settle(const std::vector<int>& winners) {
        const Stage& stage = levels_.stage(level_);
        if (at(level_ + 1) >= levels_.network().stages.size()) throw nb::value_error("there is no further stage");
        if (winners.size() != at(stage.selectors())) throw nb::value_error("there is a winner for each selector");
        std::vector<double> sums(at(levels_.sums_size(level_)));
        levels_.clear_sums(level_, sums.data());
        for (int g = 0; g < stage.selectors(); ++g) {
            const int winner = winners[at(g)];
            if (winner < 0 || winner >= levels_[level_].classes[at(g)]) throw nb::value_error("there is no such class");
            levels_[level_].won[at(g)] = winner;
            levels_.add_winner(level_, sums.data(), g, winner);
        }
        levels_.begin(level_, sums.data());
        ++level_;
    }

    void back() {
        if (level_ == 0) throw nb::value_error("there is no stage before");
        --level_;
    }

    [[nodiscard]] std::vector<std::vector<std::vector<int>>> classes() const {
        const Stage& stage = levels_.stage(level_);
        const Level& level = levels_[level_];
        std::vector<std::vector<std::vector<int>>> found;
        for (int g = 0; g < stage.selectors(); ++g) {
            found.emplace_back();
            const int first = stage.first[at(g)];
            for (int c = 0; c < level.classes[at(g)]; ++c) {
                found.back().emplace_back();
                for (int j = level.low[at(first + c)]; j >= 0; j = level.next[at(j)])
                    found.back().back().push_back(j - first);
            }
        }
        return found;
    }

    [[nodiscard]] std::tuple<Table, std::vector<double>, double> doubles() const {
        const Level& level = levels_[level_];
        const int forms = levels_.stage(level_).forms();
        Table table;
        for (int i = 0; i < forms; ++i) {
            table.emplace_back();
            for (int c = 0; c < levels_.width(); ++c) table.back().push_back(level.form[at(c * level.pad + i)]);
        }
        return {table, std::vector<double>(level.er.begin(), level.er.begin() + forms), level.grid};
    }

    // (high parts, low parts, errors).
    std::tuple<Table, Table, std::vector<double>> pairs() {
        Table high, low;
        std::vector<double> errors;
        levels_.make_pairs(level_);
        const Level& level = levels_[level_];
        for (int i = 0; i < levels_.stage(level_).forms(); ++i) {
            high.emplace_back();
            low.emplace_back();
            for (int c = 0; c < levels_.width(); ++c) {
                high.back().push_back(level.high[at(c * level.pad + i)]);
                low.back().push_back(level.low_part[at(c * level.pad + i)]);
            }
            errors.push_back(level.pair_er[at(i)]);
        }
        return {high, low, errors};
    }

    nb::list exact() {
        nb::list rows;
        for (int i = 0; i < levels_.stage(level_).forms(); ++i) {
            const Int* form = levels_.exact_form(level_, i);
            nb::list row;
            for (int c = 0; c < levels_.width(); ++c) row.append(written(form[c]));
            rows.append(row);
        }
        return rows;
    }

    // Powers of two by which the doubles of forms are larger than the weights say.
    [[nodiscard]] std::vector<int> shifts() const {
        int common = 0;
        for (int s = 0; s <= level_; ++s) common += levels_[s].shift;
        std::vector<int> shifts;
        for (int i = 0; i < levels_.stage(level_).forms(); ++i)
            shifts.push_back(common + levels_.stage(level_).weights.shift(i));
        return shifts;
    }

    [[nodiscard]] std::tuple<Table, std::vector<double>, std::vector<double>> gaps() const {
        const Level& level = levels_[level_];
        const int selectors = levels_.stage(level_).selectors();
        Table table;
        for (int g = 0; g < selectors; ++g) {
            table.emplace_back();
            for (int c = 0; c < levels_.width(); ++c) table.back().push_back(level.gap[at(c * level.gap_pad + g)]);
        }
        return {table, std::vector<double>(level.gap_n1.begin(), level.gap_n1.begin() + selectors),
                std::vector<double>(level.gap_er.begin(), level.gap_er.begin() + selectors)};
    }

    [[nodiscard]] std::tuple<std::vector<double>, double, double, double> difference(int a, int b) const {
        check(a);
        check(b);
        std::vector<double> row(at(levels_.width()));
        const Levels::RowView view = levels_.difference(level_, a, b, row.data());
        return {row, view.n1, view.er, view.grid};
    }

    nb::list exact_difference(int a, int b) {
        check(a);
        check(b);
        IntVector row(at(levels_.width()));
        levels_.exact_difference(level_, a, b, row.data());
        nb::list found;
        for (const Int& entry : row) found.append(written(entry));
        return found;
    }

    [[nodiscard]] const Tally& tally() const { return levels_.tally; }

private:
    void check(int form) const {
        if (form < 0 || form >= levels_.stage(level_).forms()) throw nb::index_error("there is no such form");
    }

    Levels levels_;
    int level_ = 0;
};

}  // namespace

void bind_probe(nb::module_& m) {
    nb::class_<Probe>(m, "Probe", "For tests: the levels of a network along one path, from the first to a current one.")
        .def(nb::init<const Network&, double, bool, bool, std::uint64_t>(), nb::arg("network"), nb::arg("unsure") = 0.0,
             nb::arg("refine") = false, nb::arg("no_grids") = false, nb::arg("seed") = 1, nb::keep_alive<1, 2>())
        .def_prop_ro("level", &Probe::level, "The current level.")
        .def("settle", &Probe::settle, nb::arg("winners"), "Go to the next level, these classes being the winners.")
        .def("back", &Probe::back, "Go back to the level before.")
        .def("classes", &Probe::classes, "For each selector its classes, candidates by their positions.")
        .def("doubles", &Probe::doubles, "The forms in doubles, the error of each, and the grid of all.")
        .def("pairs", &Probe::pairs, "The forms in pairs of doubles: high parts, low parts, and errors.")
        .def("exact", &Probe::exact, nb::sig("def exact(self) -> list[list[int]]"), "The forms in integers.")
        .def("shifts", &Probe::shifts, "For each form by which power of two its doubles are larger.")
        .def("gaps", &Probe::gaps, "For each selector the gap in doubles; their sizes; their errors.")
        .def("difference", &Probe::difference, nb::arg("a"), nb::arg("b"),
             "Form a minus form b: in doubles, its size, error and grid.")
        .def("exact_difference", &Probe::exact_difference, nb::arg("a"), nb::arg("b"),
             nb::sig("def exact_difference(self, a: int, b: int) -> list[int]"), "The same as a primitive row.")
        .def_prop_ro("tally", &Probe::tally, "How comparisons were decided so far.");
}

}  // namespace exactgeo
