// The split on generators in one width, with whatever is wanted of it.
#pragma once

#include "listing.hpp"
#include "proof.hpp"
#include "split.hpp"
#include "split_tree.hpp"

namespace exactgeo {

template <int D>
void split_in(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally) {
    if (wanted.proving != nullptr) {
        Proof<D> proof(network, *wanted.proving, *wanted.cells);
        Tree<D>(network, faults, work, &proof, tally).run();
    } else if (wanted.cells != nullptr) {
        Listing<D> listing(*wanted.cells);
        Tree<D>(network, faults, work, &listing, tally).run();
    } else {
        Tree<D>(network, faults, work, nullptr, tally).run();
    }
}

}  // namespace exactgeo
