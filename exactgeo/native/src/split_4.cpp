#include "split_in.hpp"

namespace exactgeo {

template void split_in<4>(const Network&, const Faults&, Work&, const Wanted&, Tally&);
template std::unique_ptr<Recount> recount_in<4>(const Network&, Work&, Tally&);

}  // namespace exactgeo
