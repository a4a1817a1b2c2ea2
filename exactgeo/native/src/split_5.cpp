#include "split_in.hpp"

namespace exactgeo {

template void split_in<5>(const Network&, const Faults&, Work&, const Wanted&, Tally&);

}  // namespace exactgeo
