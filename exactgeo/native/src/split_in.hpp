// The split on generators in one width, with whatever is wanted of it.
#pragma once

#include "listing.hpp"
#include "split.hpp"
#include "split_tree.hpp"

namespace exactgeo {

template <int D>
void split_in(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally) {
    if (wanted.cells != nullptr) {
        Listing<D> listing(*wanted.cells);
        Tree<D>(network, faults, work, &listing, tally).run();
    } else {
        Tree<D>(network, faults, work, nullptr, tally).run();
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
