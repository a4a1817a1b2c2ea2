// Walls, regions and shapes for Python: found in a thread without the interpreter lock, told in arrays.
#include <nanobind/stl/tuple.h>

#include <memory>

#include "bind.hpp"
#include "job.hpp"
#include "split.hpp"
#include "walls.hpp"

namespace nb = nanobind;

namespace exactgeo {

namespace {

// What the two jobs have in common. Whoever inherits ends the thread before it goes.
class Waited {
public:
    Waited(const Network& network, std::int64_t limit, const Faults& faults)
        : network_(network), faults_(faults), layout_(network), job_(std::make_unique<Job>()) {
        job_->work.limit = limit;
    }
    bool wait(double seconds) {
        const nb::gil_scoped_release released;
        return done_ = job_->wait(seconds);
    }
    void stop() { job_->stop(); }
    [[nodiscard]] std::int64_t cells() const {
        const std::int64_t before = before_.load();
        return before > 0 ? before : job_->work.cells.load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool complete() const {
        demand_done();
        return !job_->work.stopped();
    }
    [[nodiscard]] const Tally& tally() const {
        demand_done();
        return tally_;
    }

protected:
    void demand_done() const {
        if (!done_) throw std::logic_error("the job is not done");
    }
    void visit(Wanted wanted, Work& work) {
        wanted.layout = &layout_;
        split(network_, faults_, work, wanted, tally_);
    }

    const Network& network_;
    Faults faults_;
    Layout layout_;
    Tally tally_;
    bool done_ = false;
    std::atomic<std::int64_t> before_{0};  // cells, once the tree was visited for the first time
    std::unique_ptr<Job> job_;
};

class WallsJob final : public Waited {
public:
    WallsJob(const Network& network, bool all, std::int64_t limit, const Faults& faults)
        : Waited(network, limit, faults) {
        if (!all && !network.mapped) throw nb::value_error("regions need a mapped network");
        job_->start([this, all](Work& work, Blocks&) { find(all, work); });
    }
    WallsJob(const WallsJob&) = delete;
    WallsJob& operator=(const WallsJob&) = delete;
    ~WallsJob() { job_.reset(); }

    nb::bytes walls() const { return (demand_done(), bytes_of(recipes_)); }
    nb::bytes region_of() const { return (demand_done(), bytes_of(complex_.region)); }
    nb::bytes map_of() const { return (demand_done(), bytes_of(complex_.maps.of)); }
    std::int64_t regions() const { return (demand_done(), complex_.regions); }
    std::size_t affine_maps() const { return (demand_done(), complex_.maps.members.size()); }

private:
    void find(bool all, Work& work) {
        const Continuity continuity(network_, layout_);
        Gathered gathered;
        Wanted wanted;
        wanted.gathered = &gathered;
        wanted.continuity = &continuity;
        visit(wanted, work);
        before_ = work.cells.load();
        if (work.stopped()) return;
        // The tree once more, its cells not counted again.
        const auto shapes_of = [&](const std::vector<CellNumber>& some) {
            Shapes shapes;
            Wanted again;
            again.shapes = &shapes;
            again.some = &some;
            work.cells.store(0);
            visit(again, work);
            return shapes;
        };
        complex_ = find_complex(network_, layout_, continuity, faults_, gathered, all, shapes_of, work, tally_);
        if (!all) return;
        recipes_.reserve(6 * complex_.walls.size());
        for (const Wall& wall : complex_.walls) {
            const int selector = layout_.selector_of(wall.loser), s = layout_.stage_of(selector);
            const int own = selector - layout_.first_selector[static_cast<std::size_t>(s)];
            const Word* pattern =
                gathered.patterns.data() + std::size_t{wall.first} * static_cast<std::size_t>(layout_.words);
            recipes_.insert(recipes_.end(),
                            {static_cast<std::int32_t>(wall.first), static_cast<std::int32_t>(wall.second), s, own,
                             layout_.name(pattern, selector), layout_.name_of(wall.loser)});
        }
        complex_.walls = {};
    }

    Complex complex_;
    std::vector<std::int32_t> recipes_;
};

class ShapesJob final : public Waited {
public:
    ShapesJob(const Network& network, bool exact, std::int64_t limit, const Faults& faults)
        : Waited(network, limit, faults) {
        job_->start([this, exact](Work& work, Blocks&) {
            Wanted wanted;
            wanted.shapes = &shapes_;
            wanted.exact = exact;
            visit(wanted, work);
        });
    }
    ShapesJob(const ShapesJob&) = delete;
    ShapesJob& operator=(const ShapesJob&) = delete;
    ~ShapesJob() { job_.reset(); }

    using Bytes = std::tuple<nb::bytes, nb::bytes, nb::bytes, nb::bytes>;
    Bytes vertices() const {
        demand_done();
        return {bytes_of(shapes_.first_ray), bytes_of(shapes_.vertices), bytes_of(shapes_.vertex_error),
                bytes_of(shapes_.at_infinity)};
    }
    Bytes facets() const {
        demand_done();
        std::vector<Origin> rows = shapes_.origins;
        for (Origin& row : rows)
            if (row.level >= 0) {
                row.winner = layout_.name_of(static_cast<std::uint32_t>(row.winner));
                row.loser = layout_.name_of(static_cast<std::uint32_t>(row.loser));
            }
        return {bytes_of(shapes_.first_row), bytes_of(rows), bytes_of(shapes_.first_member), bytes_of(shapes_.members)};
    }
    std::tuple<nb::bytes, nb::dict> points() const {
        demand_done();
        nb::dict exact;
        for (std::size_t k = 0; k < shapes_.exact_point_cells.size(); ++k)
            exact[nb::int_(shapes_.exact_point_cells[k])] = vector(shapes_.exact_points, k);
        return {bytes_of(shapes_.points), exact};
    }
    nb::list exact_rays() const { return (demand_done(), vectors(shapes_.exact_rays)); }
    std::tuple<nb::bytes, nb::list> lines() const {
        return (demand_done(), std::tuple(bytes_of(shapes_.first_line), vectors(shapes_.exact_lines)));
    }

private:
    nb::list vector(const IntVector& from, std::size_t k) const {
        nb::list made;
        const auto width = static_cast<std::size_t>(network_.width());
        for (std::size_t c = 0; c < width; ++c) made.append(written(from[k * width + c]));
        return made;
    }
    nb::list vectors(const IntVector& from) const {
        nb::list made;
        for (std::size_t k = 0; k * static_cast<std::size_t>(network_.width()) < from.size(); ++k)
            made.append(vector(from, k));
        return made;
    }

    Shapes shapes_;
};

Faults faults_of(double unsure, bool refine, bool no_grids, int point_bits, std::uint64_t seed) {
    Faults faults;
    faults.unsure = unsure;
    faults.refine = refine;
    faults.no_grids = no_grids;
    faults.point_bits = point_bits;
    faults.seed = seed;
    return faults;
}

// What is bound of either job.
template <class J>
void bind_waited(nb::class_<J>& job, const char* option, const char* what) {
    job.def(
           "__init__",
           [](J* self, const Network& network, bool chosen, std::int64_t limit, double unsure, bool refine,
              bool no_grids, int point_bits, std::uint64_t seed) {
               new (self) J(network, chosen, limit, faults_of(unsure, refine, no_grids, point_bits, seed));
           },
           nb::keep_alive<1, 2>(), nb::arg("network"), nb::arg(option) = false, nb::arg("limit") = INT64_MAX,
           nb::arg("unsure") = 0.0, nb::arg("refine") = false, nb::arg("no_grids") = false, nb::arg("point_bits") = 0,
           nb::arg("seed") = 1, what)
        .def("wait", &J::wait, nb::arg("seconds"), "Wait so long: whether all is done.")
        .def("stop", &J::stop, "Have the work end soon.")
        .def_prop_ro("cells", &J::cells, "How many are proved so far.")
        .def_prop_ro("complete", &J::complete, "Whether it was not stopped; once all is done, like all that follows.")
        .def_prop_ro("tally", &J::tally, "How signs were decided.");
}

}  // namespace

void bind_walls(nb::module_& m) {
    nb::class_<WallsJob> walls(
        m, "WallsJob",
        "Walls and regions of a network's cells, found in a thread that begins at once. Cells are "
        "numbered in the order of split.");
    bind_waited(walls, "all", "All walls, or those that regions need. Regions are found where the network is mapped.");
    walls.def_prop_ro("regions", &WallsJob::regions, "How many maximal linear regions there are.")
        .def_prop_ro("affine_maps", &WallsJob::affine_maps, "How many different maps there are.")
        .def_prop_ro("region_of", &WallsJob::region_of, "Of each cell its region, 32 bits, numbered by first cells.")
        .def_prop_ro("map_of", &WallsJob::map_of, "Of each cell the number of its map, 32 bits, by first cells.")
        .def_prop_ro("walls", &WallsJob::walls,
                     "All walls by their ends, if asked for, 32 bits each: first and second cell; stage and selector, "
                     "the winner in the first cell and whom it loses to beyond, candidates of the selector: the wall "
                     "is where their scores are equal.");
    nb::class_<ShapesJob> shapes(m, "ShapesJob",
                                 "Vertices, facets and inner points of a network's cells, made in a thread.");
    bind_waited(shapes, "exact", "If exact, with the rays in integers.");
    shapes
        .def_prop_ro(
            "vertices", &ShapesJob::vertices,
            "Of each cell, and at the end, where its vertices begin, 64 bits; their coordinates, or directions "
            "of rays at infinity, in doubles; a bound on the error of each vertex; which are at infinity.")
        .def_prop_ro("facets", &ShapesJob::facets,
                     "Of each cell where its facets begin; of each facet level, selector, winner and loser, 32 bits "
                     "each (level -1: row of the domain, -1 for that at infinity); where its vertices begin; their "
                     "numbers within the cell.")
        .def_prop_ro("points", &ShapesJob::points, nb::sig("def points(self) -> tuple[bytes, dict[int, list[int]]]"),
                     "Of each cell a point strictly inside, in doubles that are meant exactly; where these would not "
                     "do, by cells, homogeneous integers.")
        .def_prop_ro("exact_rays", &ShapesJob::exact_rays, nb::sig("def exact_rays(self) -> list[list[int]]"),
                     "All vertices and rays as homogeneous integers, if asked for.")
        .def_prop_ro("lines", &ShapesJob::lines, nb::sig("def lines(self) -> tuple[bytes, list[list[int]]]"),
                     "Of each cell where its lines begin; the lines, in integers.");
}

}  // namespace exactgeo
