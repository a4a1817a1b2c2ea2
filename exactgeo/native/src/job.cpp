#include "job.hpp"

#include <unistd.h>  // getpid

#include <utility>  // exchange, move

namespace exactgeo {

void Job::start(Body body) {
    body_ = std::move(body);
    process_ = getpid();
    thread_ = std::thread([this] { run(); });
}

void Job::run() {
    try {
        body_(work, blocks);
    } catch (...) {
        thrown_ = std::current_exception();
    }
    blocks.finish();
}

bool Job::wait(double seconds) {
    if (!blocks.wait(std::chrono::duration<double>(seconds))) return false;
    if (thread_.joinable()) thread_.join();
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
    return true;
}

Job::~Job() {
    stop();
    if (!thread_.joinable()) return;
    if (process_ == getpid())
        thread_.join();
    else
        thread_.detach();
}

}  // namespace exactgeo
