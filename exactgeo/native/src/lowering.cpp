#include "lowering.hpp"

#include <cstring>  // memcpy
#include <limits>

namespace exactgeo {

namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

// Odd mantissas leave products the most room, and the one integer without a negative has none.
Dyadic odd(std::int64_t m, std::int32_t e) {
    if (m == 0) return {};
    const int twos = __builtin_ctzll(static_cast<std::uint64_t>(m));
    return {m >> twos, e + twos};
}

Dyadic from_double(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    const auto exponent = static_cast<std::int32_t>(bits >> 52 & 0x7ff);
    auto m = static_cast<std::int64_t>(bits & 0xfffffffffffff);
    if (exponent != 0) m |= std::int64_t{1} << 52;
    return odd(bits >> 63 != 0 ? -m : m, (exponent == 0 ? 1 : exponent) - 1075);
}

int bits_of(__int128 x) {
    const auto absolute = x < 0 ? 0 - static_cast<unsigned __int128>(x) : static_cast<unsigned __int128>(x);
    const auto high = static_cast<std::uint64_t>(absolute >> 64), low = static_cast<std::uint64_t>(absolute);
    return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

// x 2^n; false where it is too long to be added to another.
bool shift(__int128& x, std::int64_t n) {
    if (n + bits_of(x) > 126) return false;
    x *= __int128{1} << n;
    return true;
}

void reduce(Quotient& q, Int& scratch) {
    if (q.top.sign() == 0) {
        q.e = 0;
        q.bottom = 1;
        return;
    }
    if (!q.bottom.one()) {
        scratch = q.top;
        scratch.absorb_gcd(q.bottom);
        q.top.divide_exactly(scratch);
        q.bottom.divide_exactly(scratch);
    }
    const std::int64_t twos = q.top.twos();
    q.top.shift_right(twos);
    q.e += twos;
}

// a += b, which is changed.
void add(Quotient& a, Quotient& b) {
    if (b.top.sign() == 0) return;
    if (a.top.sign() == 0) {
        std::swap(a, b);
        return;
    }
    if (a.bottom != b.bottom) {
        a.top.multiply(b.bottom);
        b.top.multiply(a.bottom);
        a.bottom.multiply(b.bottom);
    }
    if (a.e > b.e) {
        a.top.shift_left(a.e - b.e);
        a.e = b.e;
    } else if (b.e > a.e) {
        b.top.shift_left(b.e - a.e);
    }
    a.top.add(b.top);
}

}  // namespace

bool Numbers::dyadic(std::int64_t index, Dyadic& value) const {
    if (integers != nullptr) {
        value = {integers[index], 0};
        if (value.m == smallest) value = odd(value.m, 0);
        return true;
    }
    if (single != nullptr || doubles != nullptr) {
        value = from_double(single != nullptr ? static_cast<double>(single[index]) : doubles[index]);
        return true;
    }
    const Quotient& q = rationals[static_cast<std::size_t>(index)];
    if (!q.bottom.one() || !q.top.fits() || q.top.small() == smallest) return false;
    value = {q.top.small(), static_cast<std::int32_t>(q.e)};
    return q.e == value.e;
}

void Numbers::exact(std::int64_t index, Quotient& value) const {
    Dyadic small;
    if (!rationals.empty()) {
        value = rationals[static_cast<std::size_t>(index)];
        return;
    }
    dyadic(index, small);
    value.top = small.m;
    value.e = small.e;
    value.bottom = 1;
}

Lowering::Lowering(const Program& program, Network& network)
    : program_(program), network_(network), slots_(at(program.slots)) {
    slots_[1] = {1, 0};
    slots_[2] = {-1, 0};
}

void Lowering::lower(std::int64_t k) {
    if (compute(k)) {
        write();
    } else {
        compute_exactly(k);
        write_exactly();
    }
    network_.round(room_);
}

// -- with 64 bits -----------------------------------------------------------------------------------------------------

bool Lowering::compute(std::int64_t k) {
    for (const Numbers& array : program_.arrays) {
        const std::int64_t first = array.each ? k * array.size : 0;
        for (int i = 0; i < array.size; ++i)
            if (!array.dyadic(first + i, slots_[at(array.slot + i)])) return false;
    }
    for (const Product& product : program_.products)
        if (!multiply(product)) return false;
    return true;
}

bool Lowering::multiply(const Product& product) {
    Dyadic* out = slots_.data() + product.out;
    for (int i = 0; i < product.rows; ++i)
        for (int j = 0; j < product.columns; ++j) {
            __int128 sum = 0;
            std::int64_t e = 0;
            for (int k = 0; k < product.inner; ++k) {
                const Dyadic& a = slots_[at(product.a[at(i * product.inner + k)])];
                const Dyadic& b = slots_[at(product.b[at(k * product.columns + j)])];
                if (a.m == 0 || b.m == 0) continue;
                __int128 term = static_cast<__int128>(a.m) * b.m;
                const std::int64_t own = std::int64_t{a.e} + b.e;
                if (sum == 0) e = own;
                if (own > e ? !shift(term, own - e) : !shift(sum, e - own)) return false;
                e = std::min(e, own);
                if (bits_of(term) > 126 || bits_of(sum) > 126) return false;
                sum += term;
            }
            if (sum != 0 && static_cast<std::uint64_t>(sum) == 0) {
                sum >>= 64;
                e += 64;
            }
            if (sum != 0) {
                const int twos = __builtin_ctzll(static_cast<std::uint64_t>(sum));
                sum >>= twos;
                e += twos;
            }
            if (bits_of(sum) > 63 || e != static_cast<std::int32_t>(e)) return false;
            *out++ = sum == 0 ? Dyadic{} : Dyadic{static_cast<std::int64_t>(sum), static_cast<std::int32_t>(e)};
        }
    return true;
}

void Lowering::write() {
    for (std::size_t s = 0; s < program_.tables.size(); ++s) {
        Weights& weights = network_.stages[s].weights;
        weights.clear_long();
        const std::vector<int>& table = program_.tables[s];
        std::int32_t least = std::numeric_limits<std::int32_t>::max();
        for (const int slot : table)
            if (slots_[at(slot)].m != 0) least = std::min(least, slots_[at(slot)].e);
        const int* slot = table.data();
        for (int i = 0; i < weights.rows(); ++i)
            for (int c = 0; c < weights.columns(); ++c) {
                const Dyadic& value = slots_[at(*slot++)];
                weights.set(i, c, value.m == 0 ? Entry{} : Entry{value.m, value.e - least});
            }
    }
}

// -- with integers of any length --------------------------------------------------------------------------------------

void Lowering::compute_exactly(std::int64_t k) {
    exact_.resize(at(program_.slots));
    exact_[1].top = 1;
    exact_[2].top = -1;
    for (const Numbers& array : program_.arrays)
        for (int i = 0; i < array.size; ++i)
            array.exact((array.each ? k * array.size : 0) + i, exact_[at(array.slot + i)]);
    for (const Product& product : program_.products) multiply_exactly(product);
}

void Lowering::multiply_exactly(const Product& product) {
    Quotient* out = exact_.data() + product.out;
    for (int i = 0; i < product.rows; ++i)
        for (int j = 0; j < product.columns; ++j) {
            sum_.top = 0;
            for (int k = 0; k < product.inner; ++k) {
                const Quotient& a = exact_[at(product.a[at(i * product.inner + k)])];
                const Quotient& b = exact_[at(product.b[at(k * product.columns + j)])];
                if (a.top.sign() == 0 || b.top.sign() == 0) continue;
                term_.top.set_product(a.top, b.top);
                term_.bottom.set_product(a.bottom, b.bottom);
                term_.e = a.e + b.e;
                add(sum_, term_);
            }
            reduce(sum_, common_);
            *out++ = sum_;
        }
}

void Lowering::write_exactly() {
    for (std::size_t s = 0; s < program_.tables.size(); ++s) {
        Weights& weights = network_.stages[s].weights;
        weights.clear_long();
        const std::vector<int>& table = program_.tables[s];
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        common_ = 1;
        for (const int slot : table) {
            const Quotient& value = exact_[at(slot)];
            if (value.top.sign() == 0) continue;
            least = std::min(least, value.e);
            common_.absorb_lcm(value.bottom);
        }
        const int* slot = table.data();
        for (int i = 0; i < weights.rows(); ++i)
            for (int c = 0; c < weights.columns(); ++c) {
                const Quotient& value = exact_[at(*slot++)];
                if (value.top.sign() == 0) {
                    weights.set(i, c, Entry{});
                    continue;
                }
                value_ = common_;
                value_.divide_exactly(value.bottom);
                value_.multiply(value.top);
                value_.shift_left(value.e - least);
                weights.set(i, c, value_);
            }
    }
}

}  // namespace exactgeo
