// The split on generators in one width, with whatever is wanted of it.
#pragma once

#include "listing.hpp"
#include "proof.hpp"
#include "split.hpp"
#include "split_tree.hpp"

namespace exactgeo {

template <int D>
void split_in(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally) {
    const auto run = [&](Sink<D>* sink) { Tree<D>(network, faults, work, sink, tally).run(); };
    if (wanted.proving != nullptr) {
        Proof<D> proof(network, *wanted.proving, *wanted.cells);
        run(&proof);
    } else if (wanted.cells != nullptr) {
        Listing<D> listing(*wanted.cells);
        run(&listing);
    } else if (wanted.gathered != nullptr) {
        Gather<D> gather(network, *wanted.layout, *wanted.continuity, *wanted.gathered);
        run(&gather);
    } else if (wanted.shapes != nullptr) {
        Shaping<D> shaping(*wanted.layout, wanted.some, wanted.exact, faults.point_bits, *wanted.shapes);
        run(&shaping);
    } else {
        run(nullptr);
    }
}

template <int D>
std::unique_ptr<Recount> recount_in(const Network& network, Work& work, Tally& tally) {
    class Again final : public Recount {
    public:
        Again(const Network& network, Work& work, Tally& tally) : tree_(network, Faults{}, work, nullptr, tally) {
            tree_.prepare();
        }
        void run() override { tree_.run(); }

    private:
        Tree<D> tree_;
    };
    return std::make_unique<Again>(network, work, tally);
}

}  // namespace exactgeo
