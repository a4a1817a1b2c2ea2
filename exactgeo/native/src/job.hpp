// A piece of work in threads of its own, for somebody who waits for it and may stop it at any time.
#pragma once

#include <exception>
#include <functional>
#include <thread>

#include "cells.hpp"
#include "crew.hpp"

namespace exactgeo {

class Job {
public:
    // What each worker does: alone, or as one of a crew, if the work asks for tasks. It has a place for the cells that
    // it lists. Nothing else that workers say is to be read before all is done.
    using Body = std::function<void(Work&, Blocks&)>;

    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    Work work;  // its budgets are those of all workers
    Blocks blocks{work.budget};

    void start(Body body, const Hands& hands = {});
    // Waits for so many seconds, or until a block of cells is there: whether all is done. What the work has thrown is
    // thrown here, once.
    bool wait(double seconds);
    void stop() { blocks.stop(); }
    // After a fork the threads are in another process: nobody can wait for them, and what they have locked stays so.
    [[nodiscard]] bool elsewhere() const;

private:
    void run();

    Body body_;
    Hands hands_;
    std::thread thread_;
    std::exception_ptr thrown_;
    int process_ = 0;  // which has the thread, 0 while there is none
};

}  // namespace exactgeo
