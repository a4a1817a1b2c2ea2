#include "rows.hpp"

#include <memory>
#include <stdexcept>  // logic_error

#include "inconsistent.hpp"
#include "loops.hpp"
#include "programs.hpp"

namespace exactgeo {

namespace {

struct Node {
    Turn turn;
    int stage = 0, selector = 0;
    int winner = 0;  // of the selector before
    std::int64_t bytes = 0;
    int known_rows = 0;  // rows from here on belong to nodes that are done
    std::vector<int> rows;
    std::vector<Rivals> rivals;
    Tableau tableau;
    Point point;
};

class RowTree {
public:
    RowTree(const Network& network, const Faults& faults, Work& work, Cells* out)
        : levels_(network, faults), programs_(levels_, faults), work_(work), out_(out), depth_(network.depth()) {
        int sums = 0;
        for (int s = 0; s + 1 < depth_; ++s) sums = std::max(sums, levels_.sums_size(s));
        sums_.resize(at(sums));
    }

    void run() {
        Node root;
        if (depth_ > 0) levels_.begin_first();
        if (!programs_.domain(root.rows, root.tableau, root.point)) return;
        root.known_rows = programs_.size();
        Task task;
        for (; work_.next(task); done_ = levels_.tally) {
            way_.begin(task);
            spare_.insert(spare_.end(), stack_.begin(), stack_.end());
            stack_.assign(1, take());
            root.bytes = stack_.back()->bytes;
            *stack_.back() = root;
            walk_to_task();
            while (!stack_.empty() && !work_.stopped()) {
                if (work_.asked()) give();
                visit_next();
                if (work_.metered())
                    work_.holds(bytes_ + (out_ != nullptr ? static_cast<std::int64_t>(out_->bytes()) : 0));
            }
            if (out_ != nullptr) out_->close();
        }
    }

    [[nodiscard]] const Tally& tally() const { return done_; }

private:
    static std::size_t at(int k) { return static_cast<std::size_t>(k); }

    void visit_next() {
        Node* node = stack_.back();
        stack_.pop_back();
        programs_.forget(node->known_rows);
        way_.enter(node->turn);
        visit(*node);
        spare_.push_back(node);
    }
    // All that is done on the way was done before, set-up included, and is not to be counted again.
    void walk_to_task() {
        if (!way_.again(stack_.back()->turn)) return;
        while (way_.again(stack_.back()->turn) && !work_.stopped()) {
            visit_next();
            if (stack_.empty()) throw std::logic_error("a task is not where it was given away");
        }
        levels_.tally = done_;
    }
    void give() {
        Task task;
        const std::size_t count = way_.part(stack_, [](const Node* node) { return node->turn; }, task);
        if (count == 0) return;
        work_.give(std::move(task));
        const auto end = stack_.begin() + static_cast<std::ptrdiff_t>(count);
        spare_.insert(spare_.end(), stack_.begin(), end);
        stack_.erase(stack_.begin(), end);
    }
    // Nodes that are done keep what they have for others.
    void meter(Node& node) {
        std::size_t bytes = sizeof(Node) + node.rows.capacity() * sizeof(int) +
                            node.tableau.entry.capacity() * sizeof(double) + node.rivals.capacity() * sizeof(Rivals);
        for (const Rivals& group : node.rivals) bytes += group.classes.capacity() * sizeof(group.classes[0]);
        bytes_ += static_cast<std::int64_t>(bytes) - node.bytes;
        node.bytes = static_cast<std::int64_t>(bytes);
    }

    Node* take() {
        if (spare_.empty()) {
            nodes_.push_back(std::make_unique<Node>());
            return nodes_.back().get();
        }
        Node* node = spare_.back();
        spare_.pop_back();
        return node;
    }
    void give_back(Node* node) { spare_.push_back(node); }

    // Everything but the point, which the child gets from elsewhere.
    Node* child_of(const Node& node) {
        Node* child = take();
        child->stage = node.stage;
        child->selector = node.selector + 1;
        child->rows = node.rows;
        child->rivals = node.rivals;
        child->tableau = node.tableau;
        return child;
    }

    // Settles selectors until the node is a cell or has children.
    void visit(Node& node) {
        ++levels_.tally.nodes;
        // The branch that led here: the winner of the selector before.
        if (node.selector > 0) levels_[node.stage].won[at(node.selector - 1)] = node.winner;
        while (true) {
            if (depth_ == 0) {
                emit(node);
                return;
            }
            const Level& level = levels_[node.stage];
            if (node.selector == levels_.stage(node.stage).selectors()) {
                if (node.stage + 1 == depth_) {
                    emit(node);
                    return;
                }
                begin_next(node);
                continue;
            }
            const int classes = level.classes[at(node.selector)];
            const int winner = classes == 1 ? 0 : classes == 2 ? halve(node) : divide(node);
            if (winner < 0) return;
            levels_[node.stage].won[at(node.selector++)] = winner;
        }
    }

    void begin_next(Node& node) {
        const int s = node.stage;
        levels_.clear_sums(s, sums_.data());
        for (int g = 0; g < levels_.stage(s).selectors(); ++g)
            levels_.add_winner(s, sums_.data(), g, levels_[s].won[at(g)]);
        levels_.begin(s, sums_.data());
        ++node.stage;
        node.selector = 0;
    }

    // The winner of a selector with two classes, -1 where both win and there are children.
    int halve(Node& node) {
        const int s = node.stage, g = node.selector;
        const Sign sign = programs_.sign({s, g, 1, 0}, node.point);
        if (sign == Sign::zero) return meet(node);
        const int here = sign == Sign::positive ? 1 : 0, there = 1 - here;
        Node* other = child_of(node);
        other->winner = there;
        other->rows.push_back(programs_.add({s, g, there, here}));
        programs_.enter(other->tableau, other->rows.back());
        if (!programs_.nonempty(other->tableau, other->rows, other->rivals, other->point)) {
            give_back(other);
            return here;
        }
        Node* own = child_of(node);
        own->winner = here;
        own->rows.push_back(programs_.add({s, g, here, there}));
        programs_.enter(own->tableau, own->rows.back());
        own->point = node.point;
        children_.clear();
        children_.push_back(here == 0 ? own : other);
        children_.push_back(here == 0 ? other : own);
        push_children();
        return -1;
    }

    // The same where the point lies on the hyperplane.
    int meet(Node& node) {
        const int s = node.stage, g = node.selector;
        children_.clear();
        for (int w = 0; w < 2; ++w) {
            Node* child = child_of(node);
            child->winner = w;
            child->rows.push_back(programs_.add({s, g, w, 1 - w}));
            programs_.enter(child->tableau, child->rows.back());
            if (programs_.nonempty(child->tableau, child->rows, child->rivals, child->point))
                children_.push_back(child);
            else
                give_back(child);
        }
        // The point may be at the border of the domain, and one side empty.
        if (children_.empty()) throw Inconsistent("both sides of a row are empty");
        push_children();
        return -1;
    }

    // The same for a selector with more classes.
    int divide(Node& node) {
        const int s = node.stage, g = node.selector, classes = levels_[s].classes[at(g)];
        children_.clear();
        for (int w = 0; w < classes; ++w) {
            Node* child = child_of(node);
            child->winner = w;
            Rivals rivals{s, g, w, {}};
            for (int i = 0; i < classes; ++i)
                if (i != w) rivals.classes.push_back(i);
            child->rivals.push_back(std::move(rivals));
            if (programs_.nonempty(child->tableau, child->rows, child->rivals, child->point))
                children_.push_back(child);
            else
                give_back(child);
        }
        if (children_.empty()) throw Inconsistent("a selector has no winner on a cell");
        if (children_.size() == 1) {
            const int winner = children_.front()->winner;
            give_back(children_.front());
            return winner;
        }
        for (Node* child : children_) {
            auto& rivals = child->rivals.back().classes;
            rivals.clear();
            for (const Node* other : children_)
                if (other != child) rivals.push_back(other->winner);
        }
        push_children();
        return -1;
    }

    void push_children() {
        for (int choice = static_cast<int>(children_.size()) - 1; choice >= 0; --choice) {
            Node* child = children_[at(choice)];
            child->known_rows = programs_.size();
            child->turn = way_.turn(choice);
            if (work_.metered()) meter(*child);
            (way_.takes(choice) ? stack_ : spare_).push_back(child);
        }
    }

    void emit(const Node& node) {
        if (out_ != nullptr) {
            if (out_->with_rows) {
                for (const int row : node.rows) out_->rows.push_back(programs_.origin(row));
                for (const Rivals& group : node.rivals)
                    for (const int rival : group.classes) {
                        const Origin origin{group.level, group.selector, group.winner, rival};
                        if (!programs_.is_among(node.rows, origin)) out_->rows.push_back(origin);
                    }
            }
            out_->add(levels_);
        }
        work_.found(1);
    }

    Levels levels_;
    Programs programs_;
    Work& work_;
    Cells* out_;
    int depth_;
    std::vector<double> sums_;
    Way way_;
    Tally done_;              // of the tasks that are done, which is all that is reported
    std::int64_t bytes_ = 0;  // of all nodes
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<Node*> stack_, spare_, children_;
};

}  // namespace

void split_on_rows(const Network& network, const Faults& faults, Work& work, Cells* out, Tally& tally) {
    RowTree tree(network, faults, work, out);
    tree.run();
    tally.add(tree.tally());
}

}  // namespace exactgeo
