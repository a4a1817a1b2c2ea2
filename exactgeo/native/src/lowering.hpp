// The weights of one network after another, from the numbers of its document: products and sums, exactly.
//
// Networks of one architecture differ in numbers alone. ``exactgeo/network/program.py`` says once how the weights of
// all stages come from these. *Slots* are numbers: the constants 0, 1, -1; then the entries of each array, of which one
// network has ``size``; then what the products give, one after the other. A product is a matrix product of matrices of
// slots. A table names the slot of every weight of a stage; all weights of a stage have one positive factor, which
// makes them integers.
//
// Slots are m 2^e with 64 bits for m as long as that is enough; a network for which it is not is computed once more,
// with integers of any length and denominators.
#pragma once

#include <cstdint>
#include <vector>

#include "stages.hpp"

namespace exactgeo {

// m 2^e; zero is 0 2^0.
struct Dyadic {
    std::int64_t m = 0;
    std::int32_t e = 0;
};

// top 2^e / bottom, bottom > 0 and odd unless it was given otherwise; zero has e = 0 and bottom 1.
struct Quotient {
    Int top;
    std::int64_t e = 0;
    Int bottom{1};
};

// An array of numbers: of some kind of machine numbers, which somebody else keeps; or of any rationals.
struct Numbers {
    const float* single = nullptr;
    const double* doubles = nullptr;
    const std::int64_t* integers = nullptr;
    std::vector<Quotient> rationals;

    int size = 0;                                          // of one network
    bool each = false;                                     // whether every network has its own
    int slot = 0;                                          // of the first
    bool dyadic(std::int64_t index, Dyadic& value) const;  // false where it is none that fits
    void exact(std::int64_t index, Quotient& value) const;
};

// Slot out + i columns + j gets the sum over k < inner of slot a[i inner + k] times slot b[k columns + j].
struct Product {
    int rows = 0, inner = 0, columns = 0, out = 0;
    std::vector<int> a, b;
};

struct Program {
    static constexpr int constants = 3;
    std::vector<Numbers> arrays;
    std::vector<Product> products;
    std::vector<std::vector<int>> tables;  // of each stage, row by row
    int slots = constants;
};

// Lowers networks into one that has their shape.
class Lowering {
public:
    Lowering(const Program& program, Network& network);

    // Network k gets its weights, exact and in doubles.
    void lower(std::int64_t k);

private:
    static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }
    bool compute(std::int64_t k);
    bool multiply(const Product& product);
    void write();
    void compute_exactly(std::int64_t k);
    void multiply_exactly(const Product& product);
    void write_exactly();

    const Program& program_;
    Network& network_;
    Rounding room_;
    std::vector<Dyadic> slots_;
    std::vector<Quotient> exact_;
    Quotient term_, sum_;
    Int common_, value_;
};

}  // namespace exactgeo
