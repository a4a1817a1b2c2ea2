#include "maps.hpp"

#include <map>
#include <memory>

namespace exactgeo {

namespace {

struct Less {
    bool operator()(const IntVector& a, const IntVector& b) const {
        for (std::size_t k = 0; k < a.size(); ++k)
            if (const int order = a[k].compare(b[k]); order != 0) return order < 0;
        return false;
    }
};

// The outputs on the cell of a pattern, and the constant.
void exact_map(Path& path, const Word* pattern, int depth, IntVector& map, Int& scratch) {
    path.go(pattern, depth);
    const int forms = path.levels.stage(depth).forms(), width = path.levels.width();
    map.resize(static_cast<std::size_t>(forms * width));
    for (int i = 0; i < forms; ++i)
        std::copy_n(path.levels.exact_form(depth, i), width, map.begin() + static_cast<std::ptrdiff_t>(i) * width);
    make_primitive(map.data(), forms * width, scratch);
    ++path.levels.tally.exact;
}

}  // namespace

MapClasses classes_of_maps(const Network& network, const Layout& layout, const Gathered& cells, Path& path,
                           const Work& work) {
    const std::size_t count = cells.cells();
    std::vector<CellNumber> cluster(count, no_cell);
    std::vector<std::pair<double, CellNumber>> order(count);
    for (CellNumber c = 0; c < count; ++c) order[c] = {lower_end(cells.value[c], cells.error[c]), c};
    std::sort(order.begin(), order.end());
    // of[c]: a first cell that stands for the class of cell c.
    MapClasses found;
    found.of.resize(count);
    CellNumber clusters = 0;
    std::map<std::int32_t, CellNumber> first;
    for (std::size_t k = 0; k < count;) {
        const auto upper = [&](std::size_t n) {
            return upper_end(cells.value[order[n].second], cells.error[order[n].second]);
        };
        std::size_t end = k + 1;
        for (double top = upper(k); end < count && !(order[end].first > top); ++end) top = std::max(top, upper(end));
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(k), order.begin() + static_cast<std::ptrdiff_t>(end),
                  [](const auto& a, const auto& b) { return a.second < b.second; });
        bool all_exact = true;
        for (std::size_t n = k; n < end; ++n) all_exact = all_exact && cells.exact[order[n].second] >= 0;
        first.clear();
        for (std::size_t n = k; n < end; ++n) {
            const CellNumber c = order[n].second;
            found.of[c] = cells.exact[c] < 0 ? c : first.emplace(cells.exact[c], c).first->second;
            if (end - k > 1 && !all_exact && found.of[c] == c) cluster[c] = clusters;
        }
        clusters += end - k > 1 && !all_exact ? 1 : 0;
        k = end;
    }
    // What is left, in the order of the tree, in which patterns have much in common.
    const auto pattern = [&](CellNumber c) {
        return cells.patterns.data() + std::size_t{c} * static_cast<std::size_t>(layout.words);
    };
    std::vector<std::map<std::vector<Word>, CellNumber>> by_choices(clusters);
    std::vector<std::uint32_t> left(clusters);  // cells with different choices
    if (clusters > 0) {
        Choices choices(network, layout);
        std::vector<Word> key(static_cast<std::size_t>(layout.words));
        for (CellNumber c = 0; c < count; ++c) {
            if (cluster[c] == no_cell) continue;
            if (cells.exact[c] == ExactMaps::none) {
                choices.of(pattern(c), key.data());
                found.of[c] = by_choices[cluster[c]].emplace(key, c).first->second;
            }
            if (found.of[c] == c)
                ++left[cluster[c]];
            else
                cluster[c] = no_cell;
        }
    }
    by_choices.clear();
    std::unique_ptr<Residues> residues;
    std::vector<std::map<Word, std::vector<CellNumber>>> by_residue(clusters);
    for (CellNumber c = 0; c < count; ++c) {
        if (cluster[c] == no_cell || left[cluster[c]] == 1) continue;
        if (work.stopped()) return {};
        if (residues == nullptr) residues = std::make_unique<Residues>(network);
        path.go(pattern(c), layout.depth);
        by_residue[cluster[c]][residues->of(path, layout.depth)].push_back(c);
    }
    std::vector<std::pair<CellNumber, std::uint32_t>> same;  // cells, and numbers of equal residues
    std::uint32_t groups = 0;
    for (const auto& group : by_residue)
        for (const auto& [residue, members] : group) {
            if (members.size() == 1) continue;
            for (const CellNumber c : members) same.emplace_back(c, groups);
            ++groups;
        }
    by_residue.clear();
    std::sort(same.begin(), same.end());
    std::vector<std::map<IntVector, CellNumber, Less>> maps(groups);
    IntVector map;
    Int scratch;
    for (const auto& [c, group] : same) {
        if (work.stopped()) return {};
        exact_map(path, pattern(c), layout.depth, map, scratch);
        found.of[c] = maps[group].emplace(map, c).first->second;
    }
    // A class is that of the cell that stands for it, which may be stood for itself; first cells come first.
    for (CellNumber c = 0; c < count; ++c) {
        const CellNumber stands = found.of[c];
        if (stands == c) {
            found.of[c] = static_cast<CellNumber>(found.members.size());
            found.members.push_back(1);
        } else {
            found.of[c] = found.of[stands];
            ++found.members[found.of[c]];
        }
    }
    return found;
}

}  // namespace exactgeo
