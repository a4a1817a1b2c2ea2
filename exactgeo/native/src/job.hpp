// A piece of work in a thread of its own, for somebody who waits for it and may stop it at any time.
#pragma once

#include <exception>
#include <functional>
#include <thread>

#include "cells.hpp"

namespace exactgeo {

class Job {
public:
    // The work gets its budgets, and a place for the cells that it lists. Nothing else that it says is to be read
    // before it is done.
    using Body = std::function<void(Work&, Blocks&)>;

    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    Work work;
    Blocks blocks{work};

    void start(Body body);
    // Waits for so many seconds, or until a block of cells is there: whether all is done. What the work has thrown is
    // thrown here.
    bool wait(double seconds);
    void stop() { blocks.stop(); }

private:
    void run();

    Body body_;
    std::thread thread_;
    std::exception_ptr thrown_;
    int process_ = 0;  // which has the thread: after a fork nobody can wait for it
};

}  // namespace exactgeo
