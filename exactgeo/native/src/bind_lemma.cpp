// For tests: the bounds of the lemma, and rows and rays of trees in doubles beside their exact values.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "split_tree.hpp"

namespace nb = nanobind;

namespace exactgeo {

namespace {

struct Lemma {};

// A vector in doubles, its error and grid, and the exact one up to a positive factor.
using Audited = std::tuple<std::vector<double>, double, double, nb::list>;

template <int D>
class Auditor final : public Sink<D> {
public:
    explicit Auditor(std::size_t most) : most_(most) {}

    void cell(typename Sink<D>::Place at, const Part& part) override {
        for (int i = 0; i < part.count && rays.size() < most_; ++i) {
            const int k = at.cones.ray(at.cones.member(part, i));
            const Ray<D>& ray = at.vectors.ray(k);
            rays.push_back(audited(ray.x, ray.e, ray.grid, at.vectors.exact_ray(k)));
        }
        const auto& used = at.cones.used(part);
        for (int slot = 0; slot < at.cones.slot_count() && rows.size() < most_; ++slot) {
            if ((used[static_cast<std::size_t>(slot >> 6)] >> (slot & 63) & 1) == 0) continue;
            const int k = Vectors<D>::index(at.cones.slots(part)[slot]);
            const Row<D>& row = at.vectors.row(k);
            rows.push_back(audited(row.v, row.er, row.grid, at.vectors.exact_row(k)));
        }
    }

    std::vector<Audited> rows, rays;

private:
    static Audited audited(const double* x, double error, double grid, const Int* exact) {
        nb::list integers;
        for (int c = 0; c < D; ++c) integers.append(written(exact[c]));
        return {std::vector<double>(x, x + D), error, grid, integers};
    }
    std::size_t most_;
};

template <int D>
std::pair<std::vector<Audited>, std::vector<Audited>> audit_in(const Network& network, std::size_t most) {
    Auditor<D> auditor(most);
    Work work;
    Tally tally;
    Tree<D>(network, Faults(), work, &auditor, tally).run();
    return {std::move(auditor.rows), std::move(auditor.rays)};
}

std::pair<std::vector<Audited>, std::vector<Audited>> audit(const Network& network, std::size_t most) {
    if (network.dimension == 2) return audit_in<3>(network, most);
    if (network.dimension == 4) return audit_in<5>(network, most);
    throw nb::value_error("audited are dimensions 2 and 4");
}

}  // namespace

void bind_lemma(nb::module_& m) {
    nb::class_<Lemma>(m, "Lemma", "For tests: the bounds of errors, as lemma.hpp has them.")
        .def_static(
            "sign",
            [](double n1, double er, double mx, double e, int width) { return SignBound(mx, e, width).at(n1, er); },
            nb::arg("n1"), nb::arg("er"), nb::arg("mx"), nb::arg("e"), nb::arg("width"))
        .def_static("exact_on_grids", &exact_on_grids, nb::arg("n1"), nb::arg("row_grid"), nb::arg("mx"),
                    nb::arg("ray_grid"))
        .def_static("term", &term_error, nb::arg("er"), nb::arg("most"), nb::arg("terms"))
        .def_static("difference", &difference_error, nb::arg("er_a"), nb::arg("er_b"), nb::arg("most"))
        .def_static("mean", &mean_error, nb::arg("er_sum"), nb::arg("most_sum"), nb::arg("members"))
        .def_static("combination", &combination_bound, nb::arg("size"), nb::arg("error"), nb::arg("terms"),
                    nb::arg("width"), nb::arg("most"))
        .def_static("minor", &minor_error, nb::arg("e"), nb::arg("most"), nb::arg("n1"), nb::arg("er"), nb::arg("k"))
        .def_static(
            "pair_sum",
            [](const std::vector<std::pair<double, double>>& terms) {
                Pair sum;
                for (const auto& [a, b] : terms) add_product(sum, {a, 0.0}, {b, 0.0});
                return std::pair(sum.hi, sum.lo);
            },
            nb::arg("terms"), "The sum of products, as a pair of doubles.")
        .def_static("audit", &audit, nb::arg("network"), nb::arg("most"),
                    nb::sig("def audit(network: Network, most: int) -> tuple[list[tuple[list[float], float, float, "
                            "list[int]]], list[tuple[list[float], float, float, list[int]]]]"),
                    "Rows and rays of the cells of a network: in doubles, error, grid, and up to a positive factor "
                    "exactly.");
}

}  // namespace exactgeo
