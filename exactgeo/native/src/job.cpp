#include "job.hpp"

#include <unistd.h>  // getpid

#include <algorithm>  // min
#include <utility>    // exchange, move

namespace exactgeo {

void Job::start(Body body, const Hands& hands) {
    body_ = std::move(body);
    hands_ = hands;
    thread_ = std::thread([this] { run(); });
    process_ = getpid();
}

void Job::run() {
    try {
        if (hands_.workers > 1)
            Crew(work.budget, hands_, [this](Work& own) { body_(own, blocks); }).run();
        else
            body_(work, blocks);
    } catch (...) {
        thrown_ = std::current_exception();
    }
    blocks.finish();
}

bool Job::wait(double seconds) {
    // What can be added to a time; nan is no time.
    const double time = seconds > 0.0 ? std::min(seconds, 1e6) : 0.0;
    if (!blocks.wait(std::chrono::duration<double>(time))) return false;
    if (thread_.joinable()) thread_.join();
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
    return true;
}

bool Job::elsewhere() const { return process_ != 0 && process_ != getpid(); }

Job::~Job() {
    stop();
    if (thread_.joinable()) thread_.join();
}

}  // namespace exactgeo
