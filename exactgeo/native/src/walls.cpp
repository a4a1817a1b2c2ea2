#include "walls.hpp"

#include <map>
#include <memory>
#include <numeric>    // iota
#include <stdexcept>  // logic_error
#include <tuple>      // tie

#include "simplex.hpp"

namespace exactgeo {

namespace {

// A facet that neither a flip nor a step leads across: of which pair of adjacent cells K, K' of its stage, named by the
// first cells in them, and on which side.
struct Left {
    int stage;
    CellNumber low, high;
    bool upper;
    CellNumber cell;
    std::uint32_t loser;

    [[nodiscard]] bool with(const Left& other) const {
        return stage == other.stage && low == other.low && high == other.high;
    }
};

// Whether facets on one hyperplane overlap.
class Overlay {
public:
    Overlay(const Network& network, const Layout& layout, const Faults& faults, const Gathered& cells, Path& path)
        : network_(network),
          layout_(layout),
          cells_(cells),
          path_(path),
          other_path_(network, layout, faults),
          width_(network.width()),
          simplex_(network.dimension),
          x_(at(width_)),
          plane_(at(width_)),
          row_(at(width_)) {}

    Shapes shapes;
    std::vector<CellNumber> shaped;  // ascending

    bool meet(const Left& one, const Left& two) {
        const Facet a = facet(one), b = facet(two);
        if (inside(a, b) || inside(b, a)) return true;
        if (outside(a, b) || outside(b, a)) return false;
        return exactly(a, b);
    }
    void finish(Tally& tally) const { tally.add(other_path_.levels.tally); }

private:
    struct Facet {
        CellNumber cell;
        std::size_t shape;
        std::int64_t row;
    };
    static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] const Word* pattern(CellNumber cell) const {
        return cells_.patterns.data() + std::size_t{cell} * at(layout_.words);
    }

    Facet facet(const Left& left) const {
        const auto shape = at(std::lower_bound(shaped.begin(), shaped.end(), left.cell) - shaped.begin());
        for (auto row = shapes.first_row[shape]; row < shapes.first_row[shape + 1]; ++row) {
            const Origin& origin = shapes.origins[at(row)];
            if (origin.level == left.stage && origin.loser == static_cast<std::int32_t>(left.loser))
                return {left.cell, shape, row};
        }
        throw std::logic_error("a cell has lost a facet");
    }

    // The sign of a row at x_, whose coordinates are at most mx, off by e; zero where it is not certain.
    int sign(std::int64_t row, double mx, double e) {
        const double* v = shapes.rows.data() + row * width_;
        double s = 0.0;
        for (int c = 0; c < width_; ++c) s += v[c] * x_[at(c)];
        const Guess guess =
            sign_beyond(s, SignBound(mx, e, width_).at(shapes.row_size[at(row)], shapes.row_error[at(row)]));
        if (!guess.certain() || path_.levels.fault()) return 0;
        ++path_.levels.tally.floats;
        return static_cast<int>(guess.sign());
    }
    [[nodiscard]] const double* ray(const Facet& f, std::int64_t member) const {
        return shapes.rays.data() + (shapes.first_ray[f.shape] + shapes.members[at(member)]) * width_;
    }
    [[nodiscard]] double error(const Facet& f, std::int64_t member) const {
        return shapes.ray_error[at(shapes.first_ray[f.shape] + shapes.members[at(member)])];
    }
    static double largest(const double* x, int width) {
        double most = 0.0;
        for (int c = 0; c < width; ++c) most = std::max(most, std::fabs(x[c]));
        return most;
    }

    // The middle of the rays of a is strictly inside all other rows of b.
    bool inside(const Facet& a, const Facet& b) {
        std::fill(x_.begin(), x_.end(), 0.0);
        const auto first = shapes.first_member[at(a.row)], last = shapes.first_member[at(a.row + 1)];
        const int count = static_cast<int>(last - first);
        double e = 0.0, size = 0.0;
        for (auto m = first; m < last; ++m) {
            for (int c = 0; c < width_; ++c) x_[at(c)] += ray(a, m)[c];
            e += error(a, m);
            size += largest(ray(a, m), width_);
        }
        for (double& x : x_) x /= count;
        e = mean_error(e, size, count);
        const double mx = largest(x_.data(), width_);
        for (auto row = shapes.first_row[b.shape]; row < shapes.first_row[b.shape + 1]; ++row)
            if (row != b.row && sign(row, mx, e) <= 0) return false;
        return true;
    }
    // Another row of b is negative at all rays of a.
    bool outside(const Facet& a, const Facet& b) {
        if (shapes.first_line[a.shape] != shapes.first_line[a.shape + 1]) return false;
        for (auto row = shapes.first_row[b.shape]; row < shapes.first_row[b.shape + 1]; ++row) {
            bool negative = row != b.row;
            for (auto m = shapes.first_member[at(a.row)]; negative && m < shapes.first_member[at(a.row + 1)]; ++m) {
                std::copy_n(ray(a, m), width_, x_.begin());
                negative = sign(row, largest(x_.data(), width_), error(a, m)) < 0;
            }
            if (negative) return true;
        }
        return false;
    }

    // One coordinate is eliminated by the hyperplane's equation.
    bool exactly(const Facet& a, const Facet& b) {
        ++path_.levels.tally.exact_programs;
        exact_row(path_, a, a.row, plane_.data());
        pivot_ = 0;
        while (plane_[at(pivot_)].sign() == 0) ++pivot_;
        if (plane_[at(pivot_)].sign() < 0)
            for (Int& x : plane_) x.negate();
        simplex_.clear();
        add_rows(path_, a);
        add_rows(other_path_, b);
        return simplex_.solve();
    }
    void add_rows(Path& path, const Facet& f) {
        for (auto row = shapes.first_row[f.shape]; row < shapes.first_row[f.shape + 1]; ++row) {
            if (row == f.row) continue;
            exact_row(path, f, row, row_.data());
            factor_ = row_[at(pivot_)];
            for (int c = 0, to = 0; c < width_; ++c) {
                if (c == pivot_) continue;
                Int& x = row_[at(to++)];
                x.swap(row_[at(c)]);
                x.multiply(plane_[at(pivot_)]);
                x.subtract_product(factor_, plane_[at(c)]);
            }
            simplex_.add(row_.data());
        }
    }
    void exact_row(Path& path, const Facet& f, std::int64_t row, Int* to) const {
        const Origin& origin = shapes.origins[at(row)];
        if (origin.level >= 0) {
            path.go(pattern(f.cell), layout_.depth - 1);
            path.row(pattern(f.cell), static_cast<std::uint32_t>(origin.loser), to);
        } else if (origin.selector >= 0) {
            std::copy_n(network_.rows[at(origin.selector)].begin(), width_, to);
        } else {
            for (int c = 0; c < width_; ++c) to[c] = c == 0 ? 1 : 0;
        }
    }

    const Network& network_;
    const Layout& layout_;
    const Gathered& cells_;
    Path& path_;
    Path other_path_;
    int width_, pivot_ = 0;
    ExactSimplex simplex_;
    std::vector<double> x_;
    IntVector plane_, row_;
    Int factor_;
};

class Finder {
public:
    Finder(const Network& network, const Layout& layout, const Continuity& continuity, const Faults& faults,
           const Gathered& cells, bool all, const Work& work)
        : network_(network),
          layout_(layout),
          continuity_(continuity),
          faults_(faults),
          cells_(cells),
          all_(all),
          work_(work),
          path_(network, layout, faults),
          key_(at(layout.words)),
          beyond_(key_.size()) {}

    void run(const ShapeMaker& shapes, Complex& out, Tally& tally) {
        out_ = &out;
        if (network_.mapped) {
            out.maps = classes_of_maps(network_, layout_, cells_, path_, work_);
            if (out.maps.of.size() != cells_.cells()) return;
        }
        if (all_ || out.maps.members.size() < cells_.cells()) {
            const Table table(cells_.patterns, layout_.words, layout_.words, ~Word{0});
            for (CellNumber c = 0; c < cells_.cells() && !work_.stopped(); ++c)
                if (all_ || out.maps.members[out.maps.of[c]] > 1) cross_all(table, c);
        }
        if (!left_.empty()) compare_left(shapes, tally);
        std::sort(out.walls.begin(), out.walls.end(), [](const Wall& a, const Wall& b) {
            return a.first < b.first || (a.first == b.first && a.second < b.second);
        });
        if (network_.mapped) join(out);
        tally.add(path_.levels.tally);
    }

private:
    static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] const Word* pattern(CellNumber cell) const {
        return cells_.patterns.data() + std::size_t{cell} * key_.size();
    }
    [[nodiscard]] bool wanted(CellNumber one, CellNumber two) const {
        return all_ || out_->maps.of[one] == out_->maps.of[two];
    }
    void add(CellNumber cell, std::uint32_t loser, CellNumber other) {
        if (cell < other && wanted(cell, other)) out_->walls.push_back({cell, other, loser});
    }

    void cross_all(const Table& table, CellNumber cell) {
        for (auto k = cells_.first_facet[cell]; k < cells_.first_facet[cell + 1]; ++k) {
            const std::uint32_t loser = cells_.facets[at(k)];
            const CellNumber other = across(table, cell, loser);
            if (other != no_cell)
                add(cell, loser, other);
            else
                leave(cell, loser);
        }
    }

    // The neighbour, if a flip or a step finds a cell that fits.
    CellNumber across(const Table& table, CellNumber cell, std::uint32_t loser) {
        const int selector = layout_.selector_of(loser), s = layout_.stage_of(selector);
        if (continuity_.nowhere(selector)) return no_cell;
        const int winner = layout_.name(pattern(cell), selector);
        if (continuity_.pair(selector, winner, layout_.name_of(loser))) {
            std::copy_n(pattern(cell), key_.size(), key_.begin());
            layout_.set(key_.data(), loser);
            const CellNumber other = table.find(key_.data());
            const int after = continuity_.whole(selector) ? s : s - 1;
            if (other != no_cell && alone(cell, after) && alone(other, after)) return other;
        }
        if (!alone(cell, s)) return no_cell;
        path_.step(pattern(cell), loser, layout_.depth - 1, beyond_.data());
        const CellNumber other = table.find(beyond_.data());
        if (other == no_cell) return no_cell;
        int after = s;
        for (int k = layout_.first_selector[at(s)]; k < layout_.selectors(); ++k) {
            const int one = layout_.name(pattern(cell), k), two = layout_.name(beyond_.data(), k);
            if (one == two) continue;
            if (!continuity_.pair(k, one, two)) return no_cell;
            if (!continuity_.whole(k)) after = s - 1;
        }
        return alone(cell, after) && alone(other, after) ? other : no_cell;
    }
    // Whether after this stage classes of several candidates win continuous selectors only.
    [[nodiscard]] bool alone(CellNumber cell, int s) const { return cells_.merged.empty() || cells_.merged[cell] <= s; }

    // Puts a facet with those of the same two cells of its stage.
    void leave(CellNumber cell, std::uint32_t loser) {
        const int s = layout_.stage_of(layout_.selector_of(loser));
        std::unique_ptr<Table>& table = prefixes_[s];
        if (table == nullptr)
            table = std::make_unique<Table>(cells_.patterns, layout_.words, layout_.words_to(s), layout_.mask_to(s));
        std::copy_n(pattern(cell), key_.size(), key_.begin());
        layout_.set(key_.data(), loser);
        CellNumber other = table->find(key_.data());
        if (other == no_cell) {
            path_.step(pattern(cell), loser, s, beyond_.data());
            other = table->find(beyond_.data());
        }
        const CellNumber own = table->find(pattern(cell));
        if (other == no_cell || other == own) throw std::logic_error("there is no cell beyond a facet");
        left_.push_back({s, std::min(own, other), std::max(own, other), own > other, cell, loser});
    }

    void compare_left(const ShapeMaker& shapes, Tally& tally) {
        std::sort(left_.begin(), left_.end(), [](const Left& a, const Left& b) {
            return std::tie(a.stage, a.low, a.high, a.upper, a.cell) <
                   std::tie(b.stage, b.low, b.high, b.upper, b.cell);
        });
        std::vector<std::pair<std::size_t, std::size_t>> open;
        Overlay overlay(network_, layout_, faults_, cells_, path_);
        for (std::size_t first = 0; first < left_.size();) {
            std::size_t middle = first, last = first;
            while (last < left_.size() && left_[last].with(left_[first])) ++last;
            while (middle < last && !left_[middle].upper) ++middle;
            if (all_ && (middle == first || middle == last)) throw std::logic_error("a facet has no other side");
            const bool known = network_.dimension == 1 || (all_ && (middle - first == 1 || last - middle == 1));
            for (std::size_t a = first; a < middle; ++a)
                for (std::size_t b = middle; b < last; ++b) {
                    if (!wanted(left_[a].cell, left_[b].cell)) continue;
                    if (known)
                        add_left(a, b);
                    else
                        open.emplace_back(a, b);
                }
            first = last;
        }
        if (open.empty()) return;
        for (const auto& [a, b] : open) {
            overlay.shaped.push_back(left_[a].cell);
            overlay.shaped.push_back(left_[b].cell);
        }
        std::sort(overlay.shaped.begin(), overlay.shaped.end());
        overlay.shaped.erase(std::unique(overlay.shaped.begin(), overlay.shaped.end()), overlay.shaped.end());
        overlay.shapes = shapes(overlay.shaped);
        if (work_.stopped()) return;
        for (const auto& [a, b] : open) {
            if (work_.stopped()) return;
            if (overlay.meet(left_[a], left_[b])) add_left(a, b);
        }
        overlay.finish(tally);
    }
    void add_left(std::size_t a, std::size_t b) {
        const bool turned = left_[a].cell > left_[b].cell;
        const Left &one = left_[turned ? b : a], &two = left_[turned ? a : b];
        out_->walls.push_back({one.cell, two.cell, one.loser});
    }

    // Regions: cells joined across walls between equal maps, numbered by their first cells.
    void join(Complex& out) const {
        std::vector<CellNumber> root(cells_.cells());
        std::iota(root.begin(), root.end(), CellNumber{0});
        const auto find = [&](CellNumber c) {
            while (root[c] != c) c = root[c] = root[root[c]];
            return c;
        };
        for (const Wall& wall : out.walls) {
            if (out.maps.of[wall.first] != out.maps.of[wall.second]) continue;
            const CellNumber a = find(wall.first), b = find(wall.second);
            root[std::max(a, b)] = std::min(a, b);
        }
        out.region.resize(root.size());
        for (CellNumber c = 0; c < root.size(); ++c) {
            const CellNumber first = find(c);
            out.region[c] = first == c ? out.regions++ : out.region[first];
        }
    }

    const Network& network_;
    const Layout& layout_;
    const Continuity& continuity_;
    const Faults& faults_;
    const Gathered& cells_;
    bool all_;
    const Work& work_;
    Path path_;
    std::vector<Word> key_, beyond_;
    std::map<int, std::unique_ptr<Table>> prefixes_;
    std::vector<Left> left_;
    Complex* out_ = nullptr;
};

}  // namespace

Complex find_complex(const Network& network, const Layout& layout, const Continuity& continuity, const Faults& faults,
                     const Gathered& cells, bool all, const ShapeMaker& shapes, const Work& work, Tally& tally) {
    Complex out;
    Finder(network, layout, continuity, faults, cells, all, work).run(shapes, out, tally);
    return out;
}

}  // namespace exactgeo
