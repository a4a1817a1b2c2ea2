// Workers who share a piece of work by tasks, and the order of what they gather.
//
// *Pieces* are what becomes of tasks, in the order of the tree. A task that is given away is a new piece right after
// its giver's. Chunks are written from the first piece, and from the next ones once those before are done: what is
// written is at any time a beginning of what one worker alone would write, and in the end all of it. When work is
// stopped, what is behind the first piece that is not done is dropped.
//
// Who needs a task gets the first one that waits. So the first piece never waits for a worker while all of them wait
// for it: it became the first when a worker was done with the one before, and that worker takes it. Hence workers can
// be made to wait when too much is gathered behind the first piece, without waiting for ever.
//
// The calling thread is the first worker; others begin once there is enough to do.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "work.hpp"

namespace exactgeo {

// How many workers there are at most, and how they get on.
struct Hands {
    int workers = 1;
    std::int64_t most_behind = std::int64_t{64} << 20;  // bytes that are gathered and cannot be written yet
    // For tests: tasks are given away at every chance; the task that is begun as the n-th throws, if not 0.
    bool eager = false;
    std::int64_t failing = 0;
};

struct Piece {
    enum class State { waiting, at_work, done };
    State state = State::waiting;
    Task task;
    std::list<std::unique_ptr<Chunk>> chunks;
    std::list<Piece>::iterator self;
};

class Crew {
public:
    // What each worker does, in a thread of its own; it has to ask for tasks until there are none.
    using Body = std::function<void(Work&)>;

    Crew(Budget& budget, const Hands& hands, Body body);
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Returns when all is done. Throws what the first worker that failed has thrown.
    void run();

private:
    friend class Work;
    void work(Work& own);
    void call_others();
    bool next(Work& own, Task& task);
    void give(Work& own, Task&& task);
    void put(Work& own, std::unique_ptr<Chunk> chunk);
    void finish(Piece& piece);
    void write(std::unique_lock<std::mutex>& lock);
    // Before the others are called as well: whoever finds that help is asked for sees whether it is time for that.
    void ask() { asked_.store(hands_.eager || !called_ || idle_ > waiting_, std::memory_order_relaxed); }
    [[nodiscard]] bool stopped() const { return budget_.stop.load(std::memory_order_relaxed); }

    Budget& budget_;
    Hands hands_;
    Body body_;
    // True also before the others have been called: whoever finds it so sees whether it is time.
    alignas(64) std::atomic<bool> asked_{true};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Piece> pieces_;
    int idle_ = 0, waiting_ = 1, at_work_ = 0;
    std::int64_t behind_ = 0;  // bytes of chunks
    std::int64_t begun_ = 0;   // tasks
    bool writing_ = false, called_ = false;
    std::exception_ptr thrown_;
    std::vector<std::thread> others_;
};

}  // namespace exactgeo
