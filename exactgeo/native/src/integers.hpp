// Exact integers and vectors of them: the last resort of the core, and the only header that knows GMP.
//
// A vector of D integers stands for a row or a ray up to a positive factor; a primitive one has no common factor.
// Rounding a vector to doubles keeps one exponent for all of it:
//
//     v_k = 2^exponent (x_k + delta_k),  |delta_k| <= 2^-52,  max |x_k| in [1/2, 1].
#pragma once

#include <gmp.h>

#include <algorithm>  // max, swap
#include <cmath>      // ldexp
#include <cstddef>    // size_t
#include <cstdint>    // int64_t
#include <cstring>    // memcpy
#include <vector>

namespace exactgeo {

class Int {
public:
    Int() { mpz_init(value_); }
    explicit Int(std::int64_t x) { mpz_init_set_si(value_, x); }
    Int(const Int& other) { mpz_init_set(value_, other.value_); }
    Int(Int&& other) noexcept {
        mpz_init(value_);
        mpz_swap(value_, other.value_);
    }
    Int& operator=(const Int& other) {
        mpz_set(value_, other.value_);
        return *this;
    }
    Int& operator=(Int&& other) noexcept {
        mpz_swap(value_, other.value_);
        return *this;
    }
    Int& operator=(std::int64_t x) {
        mpz_set_si(value_, x);
        return *this;
    }
    ~Int() { mpz_clear(value_); }

    [[nodiscard]] int sign() const { return mpz_sgn(value_); }
    [[nodiscard]] int compare(const Int& other) const { return mpz_cmp(value_, other.value_); }
    [[nodiscard]] bool operator==(const Int& other) const { return compare(other) == 0; }
    [[nodiscard]] bool operator!=(const Int& other) const { return compare(other) != 0; }
    [[nodiscard]] bool one() const { return mpz_cmp_ui(value_, 1) == 0; }
    [[nodiscard]] bool fits() const { return mpz_fits_slong_p(value_) != 0; }
    [[nodiscard]] std::int64_t small() const { return mpz_get_si(value_); }
    // The number of bits of |x|, 0 for 0.
    [[nodiscard]] std::int64_t bits() const {
        return sign() == 0 ? 0 : static_cast<std::int64_t>(mpz_sizeinbase(value_, 2));
    }
    // How often 2 divides x, which is not 0.
    [[nodiscard]] std::int64_t twos() const { return static_cast<std::int64_t>(mpz_scan1(value_, 0)); }
    [[nodiscard]] std::uint64_t residue(std::uint64_t modulus) const { return mpz_fdiv_ui(value_, modulus); }
    // x = mantissa 2^exponent with |mantissa| in [1/2, 1), cut off towards zero: off by less than 2^-52 |mantissa|.
    [[nodiscard]] double mantissa(std::int64_t& exponent) const {
        long e = 0;
        const double m = mpz_get_d_2exp(&e, value_);
        exponent = e;
        return m;
    }
    [[nodiscard]] double to_double() const { return mpz_get_d(value_); }

    void add(const Int& a) { mpz_add(value_, value_, a.value_); }
    void subtract(const Int& a) { mpz_sub(value_, value_, a.value_); }
    void set_difference(const Int& a, const Int& b) { mpz_sub(value_, a.value_, b.value_); }
    void set_product(const Int& a, const Int& b) { mpz_mul(value_, a.value_, b.value_); }
    void multiply(const Int& a) { mpz_mul(value_, value_, a.value_); }
    void multiply(std::int64_t a) { mpz_mul_si(value_, value_, a); }
    void add_product(const Int& a, const Int& b) { mpz_addmul(value_, a.value_, b.value_); }
    void subtract_product(const Int& a, const Int& b) { mpz_submul(value_, a.value_, b.value_); }
    void add_product(const Int& a, std::int64_t b) {
        if (b >= 0)
            mpz_addmul_ui(value_, a.value_, static_cast<unsigned long>(b));
        else
            mpz_submul_ui(value_, a.value_, -static_cast<unsigned long>(b));
    }
    void divide_exactly(const Int& a) { mpz_divexact(value_, value_, a.value_); }
    void divide_exactly(std::int64_t a) { mpz_divexact_ui(value_, value_, static_cast<unsigned long>(a)); }
    void negate() { mpz_neg(value_, value_); }
    void absorb_gcd(const Int& a) { mpz_gcd(value_, value_, a.value_); }
    void absorb_lcm(const Int& a) { mpz_lcm(value_, value_, a.value_); }
    void absorb_lcm(std::int64_t a) { mpz_lcm_ui(value_, value_, static_cast<unsigned long>(a)); }
    void shift_left(std::int64_t n) { mpz_mul_2exp(value_, value_, static_cast<mp_bitcnt_t>(n)); }
    void shift_right(std::int64_t n) { mpz_tdiv_q_2exp(value_, value_, static_cast<mp_bitcnt_t>(n)); }
    void swap(Int& other) noexcept { mpz_swap(value_, other.value_); }
    // Exactly the value of a finite double times 2^shift, which has to be an integer.
    void set_scaled(double x, int shift) { mpz_set_d(value_, std::ldexp(x, shift)); }

    // Little-endian bytes of |x|, and from them: how integers of any length come from Python and go there.
    void set_bytes(const unsigned char* bytes, std::size_t count, bool negative) {
        mpz_import(value_, count, -1, 1, 0, 0, bytes);
        if (negative) negate();
    }
    [[nodiscard]] std::vector<unsigned char> to_bytes() const {
        std::vector<unsigned char> bytes((mpz_sizeinbase(value_, 2) + 7) / 8);
        mpz_export(bytes.data(), nullptr, -1, 1, 0, 0, value_);
        return bytes;
    }
    // Appends the decimal digits.
    template <class Text>
    void append_to(Text& text) const {
        const std::size_t at = text.size();
        text.resize(at + mpz_sizeinbase(value_, 10) + 2);
        mpz_get_str(&text[at], 10, value_);
        text.resize(at + std::strlen(&text[at]));
    }

private:
    mpz_t value_;
};

using IntVector = std::vector<Int>;

// The sum of a_k b_k.
inline void dot(const Int* a, const Int* b, int size, Int& sum) {
    sum = 0;
    for (int k = 0; k < size; ++k) sum.add_product(a[k], b[k]);
}

// Divides by the greatest common divisor; the zero vector stays.
inline void make_primitive(Int* v, int size, Int& divisor) {
    divisor = 0;
    for (int k = 0; k < size; ++k) {
        divisor.absorb_gcd(v[k]);
        if (divisor.one()) return;
    }
    if (divisor.sign() == 0) return;
    for (int k = 0; k < size; ++k) v[k].divide_exactly(divisor);
}

// As the head of this file says; the exponent of the zero vector is 0.
inline std::int64_t round_to_doubles(const Int* v, int size, double* x) {
    std::int64_t exponent = 0;
    bool found = false;
    for (int k = 0; k < size; ++k)
        if (v[k].sign() != 0) {
            exponent = found ? std::max(exponent, v[k].bits()) : v[k].bits();
            found = true;
        }
    for (int k = 0; k < size; ++k) {
        std::int64_t own = 0;
        const double m = v[k].mantissa(own);
        // What is 2^-1000 below the largest entry is rounded to zero.
        x[k] = v[k].sign() == 0 || own - exponent < -1000 ? 0.0 : std::ldexp(m, static_cast<int>(own - exponent));
    }
    return exponent;
}

// Fraction-free elimination (Bareiss 1968) on rows of a fixed width: keeps independent rows in echelon form, and finds
// the vector on which width - 1 independent rows vanish.
class Elimination {
public:
    explicit Elimination(int width) : width_(width), row_(static_cast<std::size_t>(width)) {}

    void clear() { rank_ = 0; }
    [[nodiscard]] int rank() const { return rank_; }

    // Adds a row; false where it depends on those before.
    bool add(const Int* row) {
        for (int k = 0; k < width_; ++k) row_[at(k)] = row[k];
        for (int r = 0; r < rank_; ++r) {
            const Int* kept = kept_row(r);
            const int lead = leads_[at(r)];
            if (row_[at(lead)].sign() == 0) continue;
            factor_ = row_[at(lead)];
            for (int k = 0; k < width_; ++k) {
                row_[at(k)].multiply(kept[lead]);
                row_[at(k)].subtract_product(factor_, kept[k]);
            }
            make_primitive(row_.data(), width_, factor_);
        }
        int lead = 0;
        while (lead < width_ && row_[at(lead)].sign() == 0) ++lead;
        if (lead == width_) return false;
        if (kept_.size() < at((rank_ + 1) * width_)) {
            kept_.resize(at((rank_ + 1) * width_));
            leads_.resize(at(rank_ + 1));
        }
        leads_[at(rank_)] = lead;
        make_primitive(row_.data(), width_, factor_);
        for (int k = 0; k < width_; ++k) kept_[at(rank_ * width_ + k)].swap(row_[at(k)]);
        ++rank_;
        return true;
    }

    // The primitive vector, up to sign, on which all rows vanish: for rank width - 1.
    void kernel(Int* out) {
        for (int r = rank_ - 1; r > 0; --r)  // nothing above a lead either
            for (int above = 0; above < r; ++above) clear_lead(kept_row(above), kept_row(r), leads_[at(r)]);
        int free = 0;
        while (is_lead(free)) ++free;
        scale_ = 1;
        for (int r = 0; r < rank_; ++r) scale_.absorb_lcm(kept_row(r)[leads_[at(r)]]);
        out[free] = scale_;
        for (int r = 0; r < rank_; ++r) {
            const Int* kept = kept_row(r);
            const int lead = leads_[at(r)];
            factor_ = scale_;
            factor_.divide_exactly(kept[lead]);
            out[lead].set_product(factor_, kept[free]);
            out[lead].negate();
        }
        make_primitive(out, width_, factor_);
    }

private:
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    Int* kept_row(int r) { return kept_.data() + at(r * width_); }
    [[nodiscard]] bool is_lead(int column) const {
        for (int r = 0; r < rank_; ++r)
            if (leads_[at(r)] == column) return true;
        return false;
    }
    void clear_lead(Int* row, const Int* other, int lead) {
        if (row[lead].sign() == 0) return;
        factor_ = row[lead];
        for (int k = 0; k < width_; ++k) {
            row[k].multiply(other[lead]);
            row[k].subtract_product(factor_, other[k]);
        }
        make_primitive(row, width_, factor_);
    }

    int width_;
    int rank_ = 0;
    IntVector row_, kept_;
    std::vector<int> leads_;
    Int factor_, scale_;
};

}  // namespace exactgeo
