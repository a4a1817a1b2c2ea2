// What the files of the binding share: the parts of the module, and integers of any length to Python and back.
#pragma once

#include <nanobind/nanobind.h>

#include "integers.hpp"

namespace exactgeo {

// Each adds its part to the module.
void bind_network(nanobind::module_& m);
void bind_work(nanobind::module_& m);
void bind_probe(nanobind::module_& m);
void bind_lemma(nanobind::module_& m);
void bind_rows(nanobind::module_& m);
void bind_job(nanobind::module_& m);
void bind_walls(nanobind::module_& m);
void bind_proof(nanobind::module_& m);
void bind_many(nanobind::module_& m);

// The int as 64 bits; false where it is longer. A TypeError where it is no int.
bool read_short(PyObject* from, std::int64_t& value);
// The int, of any length.
void read(PyObject* from, Int& value);
nanobind::object written(const Int& value);

template <class T>
nanobind::bytes bytes_of(const std::vector<T>& entries) {
    return nanobind::bytes(reinterpret_cast<const char*>(entries.data()), sizeof(T) * entries.size());
}

}  // namespace exactgeo
