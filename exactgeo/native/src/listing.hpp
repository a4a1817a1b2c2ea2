// Cells of the tree on generators in a list.
#pragma once

#include "cells.hpp"
#include "sink.hpp"

namespace exactgeo {

template <int D>
class Listing final : public Sink<D> {
public:
    explicit Listing(Cells& out) : out_(out) {}

    void cell(typename Sink<D>::Place at, const Part& part) override {
        if (out_.with_rows) {
            const auto& used = at.cones.used(part);
            for (int slot = 0; slot < at.cones.slot_count(); ++slot) {
                if ((used[static_cast<std::size_t>(slot >> 6)] >> (slot & 63) & 1) == 0) continue;
                const int ref = at.cones.slots(part)[slot];
                Origin origin = at.vectors.row(Vectors<D>::index(ref)).origin;
                if (origin.level < 0 && origin.selector < 0) continue;  // at infinity
                if (ref < 0) std::swap(origin.winner, origin.loser);
                out_.rows.push_back(origin);
            }
        }
        out_.add(at.levels);
    }
    void close() override { out_.close(); }
    [[nodiscard]] std::size_t bytes() const override { return out_.bytes(); }

private:
    Cells& out_;
};

}  // namespace exactgeo
