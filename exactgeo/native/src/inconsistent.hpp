// A defect of the core itself: something is not so that is proved to be. Cheap checks are always on.
#pragma once

#include <stdexcept>

namespace exactgeo {

class Inconsistent : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

}  // namespace exactgeo
