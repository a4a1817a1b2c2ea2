#include "crew.hpp"

#include <iterator>   // next, prev
#include <stdexcept>  // runtime_error
#include <utility>    // exchange, move

namespace exactgeo {

namespace {

using Clock = std::chrono::steady_clock;

// Before that nobody is called, as beginning a thread costs some ten microseconds and the set-up of a tree more.
constexpr auto before_others = std::chrono::milliseconds(5);
// Whoever has given away a task does not give another one before. Walking down to a task costs some ten to some hundred
// nodes of a microsecond or more.
constexpr auto between_gifts = std::chrono::microseconds(300);

}  // namespace

Work::Work(Budget& shared, Crew* crew)
    : budget(shared),
      stop(shared.stop),
      cells(shared.cells),
      limit(shared.limit),
      path(shared.path),
      crew_(crew),
      batch_(crew == nullptr ? 1 : 64) {
    if (crew == nullptr) return;
    asking_ = &crew->asked_;
    if (crew->called_)
        quiet_until_ = Clock::now() + between_gifts;
    else
        quiet_until_ = Clock::now() + before_others;
}

bool Work::next(Task& task) {
    flush();
    if (crew_ != nullptr) return crew_->next(*this, task);
    begun_ = !begun_;
    task.choices.clear();
    return begun_;
}

bool Work::in_time() {
    if (crew_->hands_.eager) {
        crew_->call_others();
        return true;
    }
    const auto now = Clock::now();
    if (now < quiet_until_) return false;
    quiet_until_ = now + between_gifts;
    crew_->call_others();
    return true;
}

void Work::give(Task&& task) { crew_->give(*this, std::move(task)); }

void Work::put(std::unique_ptr<Chunk> chunk) {
    if (crew_ != nullptr)
        crew_->put(*this, std::move(chunk));
    else
        chunk->write();
}

Crew::Crew(Budget& budget, const Hands& hands, Body body) : budget_(budget), hands_(hands), body_(std::move(body)) {
    pieces_.emplace_back();
    pieces_.front().self = pieces_.begin();
}

void Crew::run() {
    {
        Work first(budget_, this);
        work(first);
    }
    for (std::thread& other : others_) other.join();
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
}

void Crew::work(Work& own) {
    try {
        body_(own);
    } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (thrown_ == nullptr) thrown_ = std::current_exception();
        budget_.end(Reason::stopped);
        changed_.notify_all();
    }
}

// By the first worker, while it is alone.
void Crew::call_others() {
    if (called_) return;
    called_ = true;
    for (int k = 1; k < hands_.workers; ++k)
        others_.emplace_back([this] {
            Work own(budget_, this);
            work(own);
        });
}

bool Crew::next(Work& own, Task& task) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (own.piece_ != nullptr) {
        --at_work_;
        if (!stopped()) finish(*std::exchange(own.piece_, nullptr));
        write(lock);
    }
    ++idle_;
    ask();
    changed_.wait(lock, [&] { return waiting_ > 0 || at_work_ == 0 || stopped(); });
    --idle_;
    if (waiting_ == 0 || stopped()) {
        changed_.notify_all();
        return false;
    }
    auto piece = pieces_.begin();
    while (piece->state != Piece::State::waiting) ++piece;
    piece->state = Piece::State::at_work;
    --waiting_;
    ++at_work_;
    ask();
    own.piece_ = &*piece;
    if (++begun_ == hands_.failing) throw std::runtime_error("a task that fails, for tests");
    task = std::move(piece->task);
    return true;
}

void Crew::give(Work& own, Task&& task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto piece = pieces_.emplace(std::next(own.piece_->self));
    piece->self = piece;
    piece->task = std::move(task);
    ++waiting_;
    ask();
    changed_.notify_all();
}

void Crew::put(Work& own, std::unique_ptr<Chunk> chunk) {
    const auto bytes = static_cast<std::int64_t>(chunk->bytes());
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] {
        return behind_ < hands_.most_behind || (own.piece_ == &pieces_.front() && !writing_) || stopped();
    });
    behind_ += bytes;
    budget_.use(bytes);
    own.piece_->chunks.push_back(std::move(chunk));
    write(lock);
}

// Neighbours that are done become one, so that there are never many more pieces than workers and tasks that wait.
void Crew::finish(Piece& piece) {
    piece.state = Piece::State::done;
    const auto absorb = [&](Piece& left, std::list<Piece>::iterator right) {
        left.chunks.splice(left.chunks.end(), right->chunks);
        pieces_.erase(right);
    };
    const auto after = std::next(piece.self);
    if (after != pieces_.end() && after->state == Piece::State::done) absorb(piece, after);
    if (piece.self != pieces_.begin() && std::prev(piece.self)->state == Piece::State::done)
        absorb(*std::prev(piece.self), piece.self);
}

// Writes what can be written, unless somebody does already. The lock is not held meanwhile: a chunk may wait for its
// reader.
void Crew::write(std::unique_lock<std::mutex>& lock) {
    if (writing_) return;
    writing_ = true;
    while (true) {
        Piece& first = pieces_.front();  // nobody else takes it away
        if (!first.chunks.empty()) {
            const std::unique_ptr<Chunk> chunk = std::move(first.chunks.front());
            first.chunks.pop_front();
            const auto bytes = static_cast<std::int64_t>(chunk->bytes());
            lock.unlock();
            chunk->write();
            lock.lock();
            behind_ -= bytes;
            budget_.use(-bytes);
            changed_.notify_all();
        } else if (first.state == Piece::State::done && pieces_.size() > 1) {
            pieces_.pop_front();
            changed_.notify_all();
        } else {
            break;
        }
    }
    writing_ = false;
    changed_.notify_all();
}

}  // namespace exactgeo
