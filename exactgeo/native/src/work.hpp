// Work that one worker or several do: its budgets, the tasks into which it is cut, and its output, which is put in
// order.
//
// All that a tree does below a node is a function of the path that leads there. A *task* is therefore a path of
// choices, at each branching which child, and nothing else has to be handed over: a worker that gets one walks down
// from the root again, visiting but one child of each node, and then does all that is below. A worker whose help is
// asked for (``asked``) gives away the shallowest nodes that it has not visited yet. In the order of the tree they
// are the last of what it still has to do; so what a worker makes of a task is one stretch of the whole, and the tasks
// that it gives away come right after it, the latest first.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace exactgeo {

// Why work has ended before it was done.
enum class Reason { none, cells, memory, stopped };

// What all workers share. Read by them at every node, written by whoever waits for them; and the other way round for
// what is found so far.
struct Budget {
    std::atomic<bool> stop{false};
    std::atomic<Reason> reason{Reason::none};        // the first one
    alignas(64) std::atomic<std::int64_t> cells{0};  // proved so far
    std::atomic<std::int64_t> bytes{0};              // of pools, and of what is gathered and not taken yet
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    std::int64_t limit_bytes = std::numeric_limits<std::int64_t>::max();
    std::uint64_t path = 1;  // where the tree on generators begins, a hash as in partition/split.py

    void end(Reason why) {
        Reason none = Reason::none;
        reason.compare_exchange_strong(none, why);
        stop.store(true, std::memory_order_relaxed);
    }
    void use(std::int64_t more) {
        if (bytes.fetch_add(more, std::memory_order_relaxed) + more > limit_bytes) end(Reason::memory);
    }
};

// A part of a tree: at each branching on the way from the root one child, at the last the children from there to
// ``end`` - 1. Without choices it is all of the tree.
struct Task {
    std::vector<int> choices;
    int end = 0;
};

// What a worker has gathered, on its way to whoever gets it.
class Chunk {
public:
    Chunk() = default;
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;
    virtual ~Chunk() = default;
    // Called once, in the order of the tree, for one chunk at a time, in the thread of any worker.
    virtual void write() = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

class Crew;
struct Piece;

// A worker's share of the work. One that belongs to no crew has a single task, which is all of the tree.
class Work {
    Budget own_;

public:
    Work() : Work(own_, nullptr) {}
    Work(Budget& shared, Crew* crew);
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work() { holds(0); }

    Budget& budget;
    // Of the budget.
    std::atomic<bool>& stop;
    std::atomic<std::int64_t>& cells;
    std::int64_t& limit;
    std::uint64_t& path;

    // Adds cells that were found; the work ends once there are more than the limit.
    void found(std::int64_t more) {
        pending_ += more;
        if (pending_ >= batch_) flush();
    }
    [[nodiscard]] bool stopped() const { return stop.load(std::memory_order_relaxed); }

    // The next task, once the one before is done; false if there will be none.
    bool next(Task& task);
    // Whether a task should be given away now.
    bool asked() { return asking_ != nullptr && asking_->load(std::memory_order_relaxed) && in_time(); }
    void give(Task&& task);
    // Hands over what has been gathered of the task at hand.
    void put(std::unique_ptr<Chunk> chunk);

    // How many bytes the worker has now in its pools.
    void holds(std::int64_t now) {
        if (now != held_) budget.use(now - held_);
        held_ = now;
    }
    [[nodiscard]] bool metered() const { return budget.limit_bytes != std::numeric_limits<std::int64_t>::max(); }

private:
    friend class Crew;
    void flush() {
        if (cells.fetch_add(pending_, std::memory_order_relaxed) + pending_ > limit) budget.end(Reason::cells);
        pending_ = 0;
    }
    bool in_time();

    Crew* crew_;
    const std::atomic<bool>* asking_ = nullptr;
    Piece* piece_ = nullptr;
    bool begun_ = false;
    std::int64_t batch_, pending_ = 0, held_ = 0;
    std::chrono::steady_clock::time_point quiet_until_;
};

// How many branchings are above a node, and which child of the last one it is.
struct Turn {
    int depth = 0, choice = 0;
};

// The choices on the way from the root to the node that a worker visits, and what of the tree is its task. All nodes on
// the stack of a tree are siblings of nodes on this way, or children of the last.
class Way {
public:
    void begin(const Task& task) {
        task_ = &task;
        choices_.clear();
    }
    void enter(Turn turn) {
        choices_.resize(static_cast<std::size_t>(turn.depth));
        if (turn.depth > 0) choices_.back() = turn.choice;
    }
    // A child of the node at hand.
    [[nodiscard]] Turn turn(int choice) const { return {static_cast<int>(choices_.size()) + 1, choice}; }
    // Whether it belongs to the task or leads there.
    [[nodiscard]] bool takes(int choice) const {
        const std::size_t depth = choices_.size(), whole = task_->choices.size();
        if (depth >= whole) return true;
        const int first = task_->choices[depth];
        return choice >= first && choice < (depth + 1 == whole ? task_->end : first + 1);
    }
    // Whether a node is on the way to the task: all that is done there was done before, by somebody else.
    [[nodiscard]] bool again(Turn turn) const { return turn.depth < static_cast<int>(task_->choices.size()); }

    // Half of the shallowest nodes of a stack become a task; how many, beginning with the first. ``turn`` tells of an
    // entry of the stack. Never the last entry: it may be a node that begins a stage on the part of its parent, and
    // has no choice of its own.
    template <class Stack, class Turns>
    std::size_t part(const Stack& stack, Turns turn, Task& task) const {
        if (stack.size() < 2) return 0;
        const int depth = turn(stack.front()).depth;
        std::size_t same = 1;
        while (same < stack.size() && turn(stack[same]).depth == depth) ++same;
        const std::size_t count = same < stack.size() ? (same + 1) / 2 : same / 2;
        task.choices.assign(choices_.begin(), choices_.begin() + depth - 1);
        task.choices.push_back(turn(stack[count - 1]).choice);
        task.end = turn(stack.front()).choice + 1;
        return count;
    }

private:
    const Task* task_ = nullptr;
    std::vector<int> choices_;
};

}  // namespace exactgeo
