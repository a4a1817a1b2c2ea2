#include "split.hpp"

#include <stdexcept>

namespace exactgeo {

void split(const Network& network, const Faults& faults, Work& work, const Wanted& wanted, Tally& tally) {
    switch (network.dimension) {
        case 1:
            return split_in<2>(network, faults, work, wanted, tally);
        case 2:
            return split_in<3>(network, faults, work, wanted, tally);
        case 3:
            return split_in<4>(network, faults, work, wanted, tally);
        case 4:
            return split_in<5>(network, faults, work, wanted, tally);
        case 5:
            return split_in<6>(network, faults, work, wanted, tally);
        default:
            throw std::invalid_argument("the split on generators is for dimensions 1 to 5");
    }
}

std::unique_ptr<Recount> recount(const Network& network, Work& work, Tally& tally) {
    switch (network.dimension) {
        case 1:
            return recount_in<2>(network, work, tally);
        case 2:
            return recount_in<3>(network, work, tally);
        case 3:
            return recount_in<4>(network, work, tally);
        case 4:
            return recount_in<5>(network, work, tally);
        case 5:
            return recount_in<6>(network, work, tally);
        default:
            throw std::invalid_argument("the split on generators is for dimensions 1 to 5");
    }
}

}  // namespace exactgeo
