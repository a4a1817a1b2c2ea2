#include "split.hpp"
#include "split_tree.hpp"

namespace exactgeo {

template <>
void split_in<6>(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally) {
    Tree<6>(network, faults, work, out, tally).run();
}

}  // namespace exactgeo
