// Many networks of one architecture from Python: arrays are read where they are, without the interpreter.
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>  // max_element
#include <stdexcept>

#include "bind.hpp"
#include "job.hpp"
#include "many.hpp"

namespace nb = nanobind;

namespace exactgeo {

namespace {

using Array = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Slots = nb::ndarray<const std::int32_t, nb::c_contig, nb::device::cpu>;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

void demand(bool holds, const char* what) {
    if (!holds) throw nb::value_error(what);
}

// Numerators and denominators, ints.
void read_rationals(nb::handle from, Numbers& numbers) {
    const auto [tops, bottoms] = std::pair(nb::cast<nb::list>(from[0]), nb::cast<nb::list>(from[1]));
    demand(tops.size() == bottoms.size(), "each numerator has a denominator");
    numbers.rationals.resize(tops.size());
    for (std::size_t i = 0; i < tops.size(); ++i) {
        Quotient& q = numbers.rationals[i];
        read(tops[i].ptr(), q.top);
        read(bottoms[i].ptr(), q.bottom);
        demand(q.bottom.sign() > 0, "a denominator is positive");
        if (q.top.sign() == 0) continue;
        const std::int64_t above = q.top.twos(), below = q.bottom.twos();
        q.top.shift_right(above);
        q.bottom.shift_right(below);
        q.e = above - below;
    }
}

// Whether all networks have the array, or each its own, ``count`` of them.
Numbers read_numbers(nb::handle from, int size, bool each, std::int64_t count, std::vector<Array>& kept) {
    Numbers numbers;
    numbers.size = size;
    numbers.each = each;
    std::size_t length = 0;
    if (nb::isinstance<nb::tuple>(from)) {
        read_rationals(from, numbers);
        length = numbers.rationals.size();
    } else {
        const auto array = nb::cast<Array>(from);
        if (array.dtype() == nb::dtype<double>())
            numbers.doubles = static_cast<const double*>(array.data());
        else if (array.dtype() == nb::dtype<float>())
            numbers.single = static_cast<const float*>(array.data());
        else if (array.dtype() == nb::dtype<std::int64_t>())
            numbers.integers = static_cast<const std::int64_t*>(array.data());
        else
            throw nb::value_error("an array has doubles, floats or 64-bit integers");
        length = array.size();
        kept.push_back(array);
    }
    demand(size >= 0 && length == at(size) * (each ? at(count) : 1), "an array has as many numbers as networks need");
    return numbers;
}

std::vector<int> read_slots(nb::handle from, int below, std::int64_t length) {
    const auto slots = nb::cast<Slots>(from);
    demand(slots.size() == at(length), "there is a slot for each entry");
    std::vector<int> found(slots.data(), slots.data() + slots.size());
    for (const int slot : found) demand(0 <= slot && slot < below, "a slot is filled before it is used");
    return found;
}

class ManyJob {
public:
    ManyJob(const Network& shape, nb::list arrays, nb::list products, nb::list tables, std::int64_t count,
            std::int64_t limit, int workers) {
        demand(count >= 0 && limit >= 0 && workers >= 1, "there are networks, a limit and workers");
        Program program;
        for (const nb::handle entry : arrays) {
            program.arrays.push_back(
                read_numbers(entry[0], nb::cast<int>(entry[1]), nb::cast<bool>(entry[2]), count, kept_));
            program.arrays.back().slot = program.slots;
            program.slots += program.arrays.back().size;
        }
        for (const nb::handle entry : products) {
            Product product;
            product.rows = nb::cast<int>(entry[0]);
            product.inner = nb::cast<int>(entry[1]);
            product.columns = nb::cast<int>(entry[2]);
            demand(product.rows >= 0 && product.inner >= 0 && product.columns >= 0, "a size is not negative");
            product.a = read_slots(entry[3], program.slots, std::int64_t{product.rows} * product.inner);
            product.b = read_slots(entry[4], program.slots, std::int64_t{product.inner} * product.columns);
            product.out = program.slots;
            program.slots += product.rows * product.columns;
            program.products.push_back(std::move(product));
        }
        demand(tables.size() == shape.stages.size(), "there is a table for each stage");
        for (std::size_t s = 0; s < tables.size(); ++s) {
            const Weights& weights = shape.stages[s].weights;
            program.tables.push_back(
                read_slots(tables[s], program.slots, std::int64_t{weights.rows()} * weights.columns()));
        }
        many_ = std::make_unique<Many>(shape, std::move(program), count, limit, workers);
        job_.start([this](Work&, Blocks&) { many_->run(); });
    }
    ManyJob(const ManyJob&) = delete;
    ManyJob& operator=(const ManyJob&) = delete;
    ~ManyJob() { stop(); }  // and the job waits for its thread

    bool wait(double seconds) {
        const nb::gil_scoped_release released;
        return done_ = job_.wait(seconds);
    }
    void stop() { many_->stop(); }
    [[nodiscard]] std::int64_t done() const { return many_->done(); }
    [[nodiscard]] nb::bytes cells() const { return bytes_of(finished().cells); }
    [[nodiscard]] nb::bytes complete() const { return bytes_of(finished().complete); }
    [[nodiscard]] const Tally& tally() const { return finished().tally; }

private:
    template <class T>
    static nb::bytes bytes_of(const std::vector<T>& entries) {
        return nb::bytes(reinterpret_cast<const char*>(entries.data()), sizeof(T) * entries.size());
    }
    [[nodiscard]] const Many& finished() const {
        if (!done_) throw std::logic_error("the job is not done");
        return *many_;
    }

    std::vector<Array> kept_;
    std::unique_ptr<Many> many_;
    bool done_ = false;
    Job job_;  // the last: its thread reads and writes the others
};

}  // namespace

void bind_many(nb::module_& m) {
    nb::class_<ManyJob>(m, "ManyJob", "Many networks that are counted in threads, which begin at once.")
        .def(nb::init<const Network&, nb::list, nb::list, nb::list, std::int64_t, std::int64_t, int>(),
             nb::keep_alive<1, 2>(), nb::arg("shape"), nb::arg("arrays"), nb::arg("products"), nb::arg("tables"),
             nb::arg("count"), nb::arg("limit") = INT64_MAX, nb::arg("workers") = 1,
             nb::sig("def __init__(self, shape: Network, arrays: list[tuple[object, int, bool]], "
                     "products: list[tuple[int, int, int, object, object]], tables: list[object], count: int, "
                     "limit: int = ..., workers: int = 1) -> None"),
             "Networks with the domain and the selectors of a shape. An array is: numbers, contiguous, or two lists of "
             "numerators and denominators; how many of them a network has; whether each network has its own. A product "
             "is: rows, inner size, columns, and the slots of both matrices. A table has the slots of the weights of a "
             "stage.")
        .def("wait", &ManyJob::wait, nb::arg("seconds"), "Wait so long: whether all is done.")
        .def("stop", &ManyJob::stop, "Have the work end soon.")
        .def_prop_ro("done", &ManyJob::done, "How many networks are counted so far.")
        .def_prop_ro("cells", &ManyJob::cells, "Of each network, 64 bits; once all is done.")
        .def_prop_ro("complete", &ManyJob::complete, "Whether these are all, 8 bits each; once all is done.")
        .def_prop_ro("tally", &ManyJob::tally, "How signs were decided; once all is done.");
}

}  // namespace exactgeo
