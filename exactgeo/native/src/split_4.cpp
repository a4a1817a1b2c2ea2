#include "split.hpp"
#include "split_tree.hpp"

namespace exactgeo {

template <>
void split_in<4>(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally) {
    Tree<4>(network, faults, work, out, tally).run();
}

}  // namespace exactgeo
