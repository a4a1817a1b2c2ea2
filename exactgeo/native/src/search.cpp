#include "search.hpp"

#include <algorithm>
#include <numeric>  // iota
#include <unordered_map>

#include "inconsistent.hpp"
#include "programs.hpp"

namespace exactgeo {

namespace {

using Class = std::uint16_t;

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// Patterns of a fixed length in the order in which they came, each once.
class Patterns {
public:
    void clear(int length) {
        length_ = static_cast<std::size_t>(length);
        count_ = 0;
        flat_.clear();
        std::fill(table_.begin(), table_.end(), -1);
        if (table_.empty()) table_.assign(64, -1);
    }
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] const Class* operator[](int k) const { return flat_.data() + static_cast<std::size_t>(k) * length_; }
    [[nodiscard]] bool contains(const Class* pattern) const { return table_[slot(pattern)] >= 0; }
    bool insert(const Class* pattern) {
        const std::size_t s = slot(pattern);
        if (table_[s] >= 0) return false;
        table_[s] = count_++;
        flat_.insert(flat_.end(), pattern, pattern + length_);
        if (2 * static_cast<std::size_t>(count_) > table_.size()) {
            table_.assign(2 * table_.size(), -1);
            for (int k = 0; k < count_; ++k) table_[slot((*this)[k])] = k;
        }
        return true;
    }

private:
    [[nodiscard]] std::size_t slot(const Class* pattern) const {
        std::uint64_t hash = 0;
        for (std::size_t g = 0; g < length_; ++g) hash = mixed(hash ^ pattern[g]);
        std::size_t s = hash & (table_.size() - 1);
        while (table_[s] >= 0 && !std::equal(pattern, pattern + length_, (*this)[table_[s]]))
            s = (s + 1) & (table_.size() - 1);
        return s;
    }

    std::size_t length_ = 0;
    int count_ = 0;
    std::vector<Class> flat_;
    std::vector<std::int32_t> table_;
};

// The cells of a stage in one parent.
struct Layer {
    static constexpr int most_empty = 1 << 16;
    Patterns cells;
    // Patterns that are found to be no cells, until there are too many: beside a cell, with the other one of a
    // selector's two classes. (With more classes a cell may be one without being beside this one.)
    Patterns empty;
    std::vector<int> parent_rows;
    int known_rows = 0;
    std::vector<int> order;  // of the cells, by their patterns
    int next = 0;            // the first in this order whose children are to come
    // Of each class of each selector what is known of it in the parent, at the place of its candidate.
    enum class Chance : std::uint8_t { unknown, some, none };
    std::vector<Chance> chances;
    // Of each cell what its children need; not there in the last stage, where nobody asks.
    std::vector<std::int64_t> first_facet;
    std::vector<Origin> facets;
    std::vector<double> points;
    std::unordered_map<int, IntVector> exact_points;
};

class Walk {
public:
    Walk(const Network& network, const Faults& faults, Work& work, Cells* out)
        : levels_(network, faults),
          programs_(levels_, faults),
          work_(work),
          out_(out),
          depth_(network.depth()),
          layers_(at(std::max(depth_, 1))) {
        int sums = 0;
        for (int s = 0; s + 1 < depth_; ++s) sums = std::max(sums, levels_.sums_size(s));
        sums_.resize(at(sums));
    }

    void run() {
        Point point;
        if (depth_ > 0) levels_.begin_first();
        if (!programs_.domain(layers_[0].parent_rows, tableau_, point)) return;
        if (depth_ == 0) {
            list(layers_[0].parent_rows);
            work_.found(1);
            return;
        }
        explore(0, point);
        int s = 0;
        while (s >= 0 && !work_.stopped()) {
            Layer& layer = layers_[at(s)];
            if (s + 1 == depth_ || layer.next == static_cast<int>(layer.order.size())) {
                --s;
                continue;
            }
            enter_cell(s, layer.order[at(layer.next++)], layers_[at(s + 1)].parent_rows, point);
            levels_.clear_sums(s, sums_.data());
            for (int g = 0; g < levels_.stage(s).selectors(); ++g)
                levels_.add_winner(s, sums_.data(), g, levels_[s].won[at(g)]);
            levels_.begin(s, sums_.data());
            explore(++s, point);
        }
    }

    [[nodiscard]] const Tally& tally() const { return levels_.tally; }

private:
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] bool last(int s) const { return s + 1 == depth_; }
    [[nodiscard]] bool keeps_facets(int s) const { return !last(s) || (out_ != nullptr && out_->with_rows); }

    // All cells of stage s inside the parent whose rows are in the layer, and which has the point inside.
    void explore(int s, const Point& inside) {
        Layer& layer = layers_[at(s)];
        const int selectors = levels_.stage(s).selectors();
        layer.known_rows = programs_.size();
        layer.cells.clear(selectors);
        layer.empty.clear(selectors);
        layer.chances.assign(levels_.stage(s).score.size(), Layer::Chance::unknown);
        programs_.clear(parent_tableau_);
        layer.first_facet.assign(1, 0);
        layer.facets.clear();
        layer.points.clear();
        layer.exact_points.clear();
        others_ = layer.parent_rows;
        if (!programs_.nonempty(parent_tableau_, others_, {}, point_))
            throw std::logic_error("search reached a parent without interior");
        pattern_.assign(at(selectors), 0);
        for (int g = 0; g < selectors; ++g)
            for (int i = 1; i < levels_[s].classes[at(g)]; ++i)
                if (programs_.sign_beside({s, g, i, pattern_[at(g)]}, inside) == Sign::positive)
                    pattern_[at(g)] = static_cast<Class>(i);
        layer.cells.insert(pattern_.data());
        int done = 0;
        for (; done < layer.cells.count() && !work_.stopped(); ++done) {
            visit(s, done);
            if (last(s)) work_.found(1);
        }
        layer.order.resize(at(done));
        std::iota(layer.order.begin(), layer.order.end(), 0);
        layer.next = 0;
        if (last(s) && out_ == nullptr) return;
        std::sort(layer.order.begin(), layer.order.end(), [&](int a, int b) {
            return std::lexicographical_compare(layer.cells[a], layer.cells[a] + selectors, layer.cells[b],
                                                layer.cells[b] + selectors);
        });
        if (!last(s)) return;
        Point unused;
        for (const int cell : layer.order) {
            enter_cell(s, cell, rows_, unused);
            list(rows_);
        }
    }

    // Makes a cell the one at hand: winners, rows, and its point.
    void enter_cell(int s, int cell, std::vector<int>& rows, Point& point) {
        const Layer& layer = layers_[at(s)];
        const Class* pattern = layer.cells[cell];
        for (int g = 0; g < levels_.stage(s).selectors(); ++g) levels_[s].won[at(g)] = pattern[g];
        programs_.forget(layer.known_rows);
        rows = layer.parent_rows;
        if (!keeps_facets(s)) return;
        for (auto k = layer.first_facet[at(cell)]; k < layer.first_facet[at(cell + 1)]; ++k)
            rows.push_back(programs_.add(layer.facets[static_cast<std::size_t>(k)]));
        if (last(s)) return;
        const double* x = layer.points.data() + at(cell) * at(levels_.width());
        point.x.assign(x, x + levels_.width());
        const auto exact = layer.exact_points.find(cell);
        point.exact = exact != layer.exact_points.end();
        if (point.exact) point.y = exact->second;
    }

    void list(const std::vector<int>& rows) {
        if (out_ == nullptr) return;
        if (out_->with_rows) {
            for (const int row : rows) out_->rows.push_back(programs_.origin(row));
            for (int k = 0; k < static_cast<int>(levels_.network().rows.size()); ++k)
                if (!programs_.is_among(rows, {-1, k, 0, 0})) out_->rows.push_back({-1, k, 0, 0});
        }
        out_->add(levels_);
    }

    // Steps through all facets of a cell.
    void visit(int s, int cell) {
        Layer& layer = layers_[at(s)];
        ++levels_.tally.nodes;
        programs_.forget(layer.known_rows);
        rows_ = layer.parent_rows;
        const int selectors = levels_.stage(s).selectors();
        pattern_.assign(layer.cells[cell], layer.cells[cell] + selectors);
        const std::size_t own = rows_.size();
        for (int g = 0; g < selectors; ++g)
            for (int i = 0; i < levels_[s].classes[at(g)]; ++i)
                if (i != pattern_[at(g)] && chance(layer, s, g, i) != Layer::Chance::none)
                    rows_.push_back(programs_.add({s, g, pattern_[at(g)], i}));
        tableau_ = parent_tableau_;
        if (!programs_.nonempty(tableau_, rows_, {}, point_))
            throw Inconsistent("search reached a cell without interior");
        const int end = programs_.size();
        for (std::size_t k = own; k < rows_.size(); ++k) {
            const Origin origin = programs_.origin(rows_[k]);
            Class& winner = pattern_[at(origin.selector)];
            winner = static_cast<Class>(origin.loser);
            const bool known = layer.cells.contains(pattern_.data());
            const bool empty = !known && layer.empty.contains(pattern_.data());
            if (!known && !empty && programs_.beyond(rows_[k], rows_, point_, beyond_.x)) {
                layer.cells.insert(pattern_.data());
            } else if (!known) {
                winner = static_cast<Class>(origin.winner);
                if (!cross(layer, own, k, empty)) continue;
            }
            pattern_[at(origin.selector)] = static_cast<Class>(origin.winner);
            if (keeps_facets(s)) layer.facets.push_back(origin);
            programs_.forget(end);
        }
        layer.first_facet.push_back(static_cast<std::int64_t>(layer.facets.size()));
        if (last(s)) return;
        layer.points.insert(layer.points.end(), point_.x.begin(), point_.x.end());
        if (point_.exact) layer.exact_points.emplace(cell, point_.y);
    }

    Layer::Chance& chance(Layer& layer, int s, int selector, int which) const {
        return layer.chances[at(levels_.stage(s).first[at(selector)] + which)];
    }

    // Whether row k of the cell, one of its own, is a facet, and the first of its multiples; then the neighbour is
    // added. ``empty``: that nothing is beyond this row alone is known.
    bool cross(Layer& layer, std::size_t own, std::size_t k, bool empty) {
        const Origin origin = programs_.origin(rows_[k]);
        const int negative = programs_.add({origin.level, origin.selector, origin.loser, origin.winner});
        Layer::Chance& known = chance(layer, origin.level, origin.selector, origin.loser);
        if (!empty && known == Layer::Chance::unknown) {
            // A class that is nowhere in the parent larger than a winner loses everywhere: there only parents' rows are
            // needed, for all cells at once.
            others_ = layer.parent_rows;
            others_.push_back(negative);
            other_tableau_ = parent_tableau_;
            programs_.enter(other_tableau_, negative);
            known =
                programs_.nonempty(other_tableau_, others_, {}, beyond_) ? Layer::Chance::some : Layer::Chance::none;
            if (known == Layer::Chance::none) return false;
        }
        multiples_.assign(1, origin);
        if (!empty) {
            others_ = rows_;
            others_[k] = negative;
            other_tableau_ = tableau_;
            programs_.negate(other_tableau_, rows_[k], negative);
            empty = !programs_.nonempty(other_tableau_, others_, {}, beyond_);
            if (empty && levels_[origin.level].classes[at(origin.selector)] == 2) {
                if (layer.empty.count() == Layer::most_empty)
                    layer.empty.clear(levels_.stage(origin.level).selectors());
                neighbour_ = pattern_;
                neighbour_[at(origin.selector)] = static_cast<Class>(origin.loser);
                layer.empty.insert(neighbour_.data());
            }
        }
        if (empty) {
            others_.clear();
            for (std::size_t j = 0; j < rows_.size(); ++j)
                if (j >= own && j != k && programs_.same(rows_[j], rows_[k])) {
                    if (j < k) return false;
                    multiples_.push_back(programs_.origin(rows_[j]));
                } else {
                    others_.push_back(j == k ? negative : rows_[j]);
                }
            if (multiples_.size() == 1) return false;
            programs_.clear(other_tableau_);
            if (!programs_.nonempty(other_tableau_, others_, {}, beyond_)) return false;
        }
        neighbour_ = pattern_;
        for (const Origin& o : multiples_) {
            Class& best = neighbour_[at(o.selector)];
            if (best == o.winner || programs_.sign({o.level, o.selector, o.loser, best}, beyond_) == Sign::positive)
                best = static_cast<Class>(o.loser);
        }
        layer.cells.insert(neighbour_.data());
        return true;
    }

    Levels levels_;
    Programs programs_;
    Work& work_;
    Cells* out_;
    int depth_;
    std::vector<double> sums_;
    std::vector<Layer> layers_;
    std::vector<Class> pattern_, neighbour_;
    std::vector<int> rows_, others_;
    std::vector<Origin> multiples_;
    Tableau tableau_, other_tableau_, parent_tableau_;
    Point point_, beyond_;
};

}  // namespace

void search(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally) {
    Walk walk(network, faults, work, out);
    walk.run();
    tally.add(walk.tally());
}

}  // namespace exactgeo
