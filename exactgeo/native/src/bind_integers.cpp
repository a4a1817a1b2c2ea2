#include "bind.hpp"

namespace nb = nanobind;

namespace exactgeo {

bool read_short(PyObject* from, std::int64_t& value) {
    if (!PyLong_Check(from)) throw nb::type_error("an int was expected");
    int beyond = 0;
    value = PyLong_AsLongLongAndOverflow(from, &beyond);
    return beyond == 0;
}

void read(PyObject* from, Int& value) {
    std::int64_t small = 0;
    if (read_short(from, small)) {
        value = small;
        return;
    }
    nb::object zero = nb::steal(PyLong_FromLong(0));
    const bool negative = PyObject_RichCompareBool(from, zero.ptr(), Py_LT) == 1;
    const nb::object positive = nb::steal(PyNumber_Absolute(from));
    // Python's own export, public since 3.13.
#if PY_VERSION_HEX >= 0x030D0000
    const auto size = static_cast<std::size_t>(PyLong_AsNativeBytes(positive.ptr(), nullptr, 0, 1));
    std::vector<unsigned char> bytes(size);
    const bool done = PyLong_AsNativeBytes(positive.ptr(), bytes.data(), static_cast<Py_ssize_t>(size), 1) >= 0;
#else
    std::vector<unsigned char> bytes(_PyLong_NumBits(positive.ptr()) / 8 + 1);
    const bool done =
        _PyLong_AsByteArray(reinterpret_cast<PyLongObject*>(positive.ptr()), bytes.data(), bytes.size(), 1, 0) == 0;
#endif
    if (!done) throw nb::python_error();
    value.set_bytes(bytes.data(), bytes.size(), negative);
}

nb::object written(const Int& value) {
    if (value.fits()) return nb::steal(PyLong_FromLongLong(value.small()));
    const std::vector<unsigned char> bytes = value.to_bytes();
    const nb::handle type(reinterpret_cast<PyObject*>(&PyLong_Type));
    nb::object number = type.attr("from_bytes")(nb::bytes(bytes.data(), bytes.size()), "little");
    return value.sign() < 0 ? -number : number;
}

}  // namespace exactgeo
