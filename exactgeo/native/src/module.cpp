// The binding's table of contents: module.cpp and bind_*.cpp are the only files that know Python.
#include "bind.hpp"
#include "floats.hpp"
#include "inconsistent.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
    m.doc() = "The native core of exactgeo; exactgeo.native is its only importer.";
    m.attr("version") = EXACTGEO_VERSION;
    m.def("self_test", &exactgeo::float_fault, nb::sig("def self_test() -> str | None"),
          "What is wrong with the floating-point arithmetic of the calling thread; None where all is well.");
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const exactgeo::Inconsistent& defect) {
            PyErr_SetString(nb::module_::import_("exactgeo.errors").attr("Inconsistent").ptr(), defect.what());
        }
    });
    exactgeo::bind_network(m);
    exactgeo::bind_work(m);  // before the probe, which has a tally
    exactgeo::bind_probe(m);
    exactgeo::bind_lemma(m);
    exactgeo::bind_rows(m);
    exactgeo::bind_job(m);
    exactgeo::bind_walls(m);
    exactgeo::bind_proof(m);
    exactgeo::bind_many(m);
}
