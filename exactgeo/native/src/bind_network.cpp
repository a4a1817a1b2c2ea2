// A network from Python: ``exactgeo.network.lowering`` makes the tables, here they are read.
#include <nanobind/stl/vector.h>

#include <string>

#include "bind.hpp"
#include "stages.hpp"

namespace nb = nanobind;

namespace exactgeo {

namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

void demand(bool holds, const char* what) {
    if (!holds) throw nb::value_error(what);
}

// A list or tuple, whose items are borrowed.
class Items {
public:
    explicit Items(nb::handle from) : fast_(nb::steal(PySequence_Fast(from.ptr(), "rows of ints were expected"))) {
        if (!fast_.is_valid()) throw nb::python_error();
    }
    [[nodiscard]] int size() const { return static_cast<int>(PySequence_Fast_GET_SIZE(fast_.ptr())); }
    [[nodiscard]] PyObject* operator[](int k) const { return PySequence_Fast_GET_ITEM(fast_.ptr(), k); }

private:
    nb::object fast_;
};

// The weights of a stage: in Python the constant is the first column, among the terms of a later stage the last one.
Weights read_weights(nb::handle table, int columns, bool constant_last) {
    const Items rows(table);
    Weights weights(rows.size(), columns);
    Int scratch;
    for (int i = 0; i < rows.size(); ++i) {
        const Items row{nb::handle(rows[i])};
        demand(row.size() == columns, "a form has an entry for each term");
        for (int k = 0; k < columns; ++k) {
            const int column = !constant_last ? k : k == 0 ? columns - 1 : k - 1;
            std::int64_t value = 0;
            if (read_short(row[k], value) && value != INT64_MIN) {
                weights.set(i, column, value);
                continue;
            }
            read(row[k], scratch);
            weights.set(i, column, scratch);
        }
    }
    return weights;
}

// sizes: of each selector the number of candidates; lengths: of each candidate the number of entries of its value.
Stage read_stage(nb::handle from, int columns, bool constant_last) {
    const Items parts(from);
    demand(parts.size() == 6, "a stage is weights, sizes, scores, lengths, values, bases");
    const auto indices = [&](int k) { return nb::cast<std::vector<int>>(nb::handle(parts[k])); };
    Stage stage;
    stage.weights = read_weights(nb::handle(parts[0]), columns, constant_last);
    const std::vector<int> sizes = indices(1), lengths = indices(3);
    stage.score = indices(2);
    stage.value = indices(4);
    stage.bases = indices(5);
    for (const std::vector<int>* list : {&stage.score, &stage.value, &stage.bases})
        for (const int form : *list) demand(0 <= form && form < stage.forms(), "an index is that of a form");
    demand(stage.score.size() == lengths.size(), "each candidate has a score and a length");
    stage.value_first.assign(1, 0);
    for (const int length : lengths) {
        demand(length >= 0, "a length is not negative");
        stage.value_first.push_back(stage.value_first.back() + length);
    }
    demand(at(stage.value_first.back()) == stage.value.size(), "the lengths add up to the number of values");
    stage.first.assign(1, 0);
    for (const int size : sizes) {
        demand(size >= 1 && at(stage.first.back() + size) <= lengths.size(), "the sizes add up to the candidates");
        demand(size <= 1 << 16, "a selector has at most 65,536 candidates");
        for (int j = stage.first.back(); j < stage.first.back() + size; ++j)
            demand(lengths[at(j)] == lengths[at(stage.first.back())], "values of a selector have one length");
        stage.column.push_back(stage.values);
        stage.values += lengths[at(stage.first.back())];
        stage.first.push_back(stage.first.back() + size);
    }
    demand(at(stage.first.back()) == lengths.size(), "the sizes add up to the candidates");
    return stage;
}

void read_network(Network* made, int dimension, nb::handle rows, nb::handle stages, bool mapped) {
    Network network;
    demand(dimension >= 0, "a dimension is not negative");
    network.dimension = dimension;
    network.mapped = mapped;
    const Items domain(rows);
    network.rows.reserve(at(domain.size() * network.width()));
    for (int i = 0; i < domain.size(); ++i) {
        const Items row{nb::handle(domain[i])};
        demand(row.size() == network.width(), "a row of the domain has an entry for each coordinate");
        network.rows.emplace_back(at(network.width()));
        for (int c = 0; c < network.width(); ++c) read(row[c], network.rows.back()[at(c)]);
    }
    const Items table(stages);
    demand(table.size() > (mapped ? 1 : 0), "there is a stage");
    int columns = network.width();
    for (int s = 0; s < table.size(); ++s) {
        network.stages.push_back(read_stage(nb::handle(table[s]), columns, s > 0));
        columns = network.stages.back().terms();
        demand(s + 1 == table.size() || !network.stages.back().bases.empty(), "the last base is the constant form");
    }
    demand(!mapped || network.stages.back().selectors() == 0, "the map has no selectors");
    network.round();
    new (made) Network(std::move(network));
}

// The weights again, the constant first.
nb::list weights_of(const Network& network, int s) {
    if (s < 0 || at(s) >= network.stages.size()) throw nb::index_error("there is no such stage");
    const Weights& weights = network.stages[at(s)].weights;
    nb::list rows;
    Int value;
    for (int i = 0; i < weights.rows(); ++i) {
        nb::list row;
        for (int k = 0; k < weights.columns(); ++k) {
            weights.exact(i, s == 0 ? k : k == 0 ? weights.columns() - 1 : k - 1, value);
            row.append(written(value));
        }
        rows.append(row);
    }
    return rows;
}

}  // namespace

void bind_network(nb::module_& m) {
    nb::class_<Network>(m, "Network",
                        "A network and its domain as the core keeps them: exact, and in doubles. It does not change.")
        .def(
            "__init__", &read_network, nb::arg("dimension"), nb::arg("rows"), nb::arg("stages"), nb::arg("mapped"),
            nb::sig("def __init__(self, dimension: int, rows: collections.abc.Sequence[collections.abc.Sequence[int]], "
                    "stages: collections.abc.Sequence[tuple[collections.abc.Sequence[collections.abc.Sequence[int]], "
                    "list[int], list[int], list[int], list[int], "
                    "list[int]]], mapped: bool) -> None"),
            "Rows (b, a) of the domain b + a.x >= 0. A stage is: the rows of its forms in the terms, the constant "
            "first; of each selector the number of candidates; of each candidate its score, a form, and the length of "
            "its value; the entries of all values, forms; and the bases, forms, the constant one last. If mapped, the "
            "last stage has no selectors, and its forms are the output.")
        .def_ro("dimension", &Network::dimension, "Of the input.")
        .def_ro("mapped", &Network::mapped, "Whether the last stage is the output.")
        .def_prop_ro("depth", &Network::depth, "How many stages have selectors.")
        .def("weights", &weights_of, nb::arg("stage"), nb::sig("def weights(self, stage: int) -> list[list[int]]"),
             "The rows of a stage's forms as they were given, for tests.");
}

}  // namespace exactgeo
