// Cells as trees and searches list them, and how they are handed over to whoever reads them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>  // move
#include <vector>

#include "level.hpp"
#include "work.hpp"

namespace exactgeo {

// Where a row of a cell comes from: score of class ``winner`` minus score of class ``loser`` of a selector of a level
// (classes are numbered on that level), or row ``selector`` of the domain, if the level is -1.
struct Origin {
    std::int32_t level, selector, winner, loser;
};

class Blocks;

// Cells as they are listed. ``pattern``: for each selector of each stage the lowest candidate of the class that wins.
// Of proofs: ``text``, so many records; where in it the lines of the cells begin; the longest line, and the longest
// integer in digits, if it has more than 18. ``sketches``: a number of the map, with its error.
struct Cells {
    int selectors = 0;
    std::vector<std::uint16_t> pattern;
    bool with_rows = false;
    std::vector<std::int64_t> first_row{0};
    std::vector<Origin> rows;
    std::string text;
    std::int64_t records = 0;
    std::vector<std::int64_t> line;
    std::size_t longest = 0, digits = 0;
    std::vector<double> sketches;
    Blocks* reader = nullptr;  // gets them in blocks, if there is one
    Work* work = nullptr;      // of the worker who lists them, if there is a reader

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(first_row.size()) - 1; }
    [[nodiscard]] std::size_t bytes() const {
        return sizeof(std::uint16_t) * pattern.capacity() + sizeof(std::int64_t) * first_row.capacity() +
               sizeof(Origin) * rows.capacity() + text.capacity() + sizeof(std::int64_t) * line.capacity() +
               sizeof(double) * sketches.capacity();
    }
    // Appends the cell whose winners are those of all levels. All else of it is there already.
    inline void add(const Levels& levels, bool with_pattern = true);
    // Appends the sketch of a cell: of a network whose output is one form, and the constant one.
    inline void sketch(const Levels& levels);
    // Hands over what there is to the reader, if there is one.
    inline void close();
    void clear() {
        pattern.clear();
        first_row.assign(1, 0);
        rows.clear();
        text.clear();
        line.clear();
        sketches.clear();
        records = 0;
        longest = digits = 0;
    }
};

// A queue of blocks between the threads that list cells and the one that reads them. The first wait while there are too
// many, until there is room or the work is stopped.
class Blocks {
public:
    static constexpr std::int64_t length = 1024;  // cells of a block, fewer where a task ends
    static constexpr std::size_t most = 64;       // blocks that wait to be read

    explicit Blocks(Budget& budget) : budget_(budget) {}

    // Moves the cells away.
    void put(Cells& cells) {
        Cells block;
        block.selectors = cells.selectors;
        block.pattern.swap(cells.pattern);
        block.first_row.swap(cells.first_row);
        block.rows.swap(cells.rows);
        block.text.swap(cells.text);
        block.line.swap(cells.line);
        block.sketches.swap(cells.sketches);
        std::swap(block.records, cells.records);
        std::swap(block.longest, cells.longest);
        std::swap(block.digits, cells.digits);
        std::unique_lock<std::mutex> lock(mutex_);
        // Whoever has work end for a budget does not know who waits here.
        while (!room_.wait_for(lock, std::chrono::milliseconds(50),
                               [&] { return waiting_.size() < most || budget_.stop.load(); })) {
        }
        budget_.use(static_cast<std::int64_t>(block.bytes()));
        waiting_.push_back(std::move(block));
        ready_.notify_all();
    }
    // The first block, if there is one.
    bool take(Cells& block) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (waiting_.empty()) return false;
        block = std::move(waiting_.front());
        waiting_.pop_front();
        budget_.use(-static_cast<std::int64_t>(block.bytes()));
        room_.notify_all();
        return true;
    }
    void finish() {
        const std::lock_guard<std::mutex> lock(mutex_);
        done_ = true;
        ready_.notify_all();
    }
    void stop() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!done_) budget_.end(Reason::stopped);
        room_.notify_all();
    }
    // Waits until all is done, or a block is there, or the time is over: whether all is done.
    bool wait(std::chrono::duration<double> time) {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait_for(lock, time, [&] { return done_ || !waiting_.empty(); });
        return done_;
    }

private:
    Budget& budget_;
    std::mutex mutex_;
    std::condition_variable ready_, room_;
    std::deque<Cells> waiting_;
    bool done_ = false;
};

inline void Cells::add(const Levels& levels, bool with_pattern) {
    for (int s = 0; with_pattern && s < levels.network().depth(); ++s) {
        const Stage& stage = levels.stage(s);
        const Level& level = levels[s];
        for (std::size_t g = 0; g + 1 < stage.first.size(); ++g)
            pattern.push_back(static_cast<std::uint16_t>(
                level.low[static_cast<std::size_t>(stage.first[g] + level.won[g])] - stage.first[g]));
    }
    first_row.push_back(static_cast<std::int64_t>(rows.size()));
    if (size() >= Blocks::length) close();
}

inline void Cells::close() {
    if (reader == nullptr || (size() == 0 && records == 0)) return;
    if (work == nullptr) return reader->put(*this);

    class Block final : public Chunk {
    public:
        explicit Block(Cells& cells) : cells_(std::move(cells)) {}
        void write() override { cells_.reader->put(cells_); }
        [[nodiscard]] std::size_t bytes() const override { return cells_.bytes(); }

    private:
        Cells cells_;
    };
    auto block = std::make_unique<Block>(*this);
    clear();
    work->put(std::move(block));
}

inline void Cells::sketch(const Levels& levels) {
    const int s = levels.network().depth(), width = levels.width();
    const Level& level = levels[s];
    double value = 0.0;
    for (int c = 0; c < width; ++c) value += level.form[static_cast<std::size_t>(c * level.pad)] / (c + 1);
    const double error = SignBound(1.0, 2 * unit, width).at(level.n1[0], level.er[0]);
    const double one = level.form[1], one_error = level.er[1];
    sketches.push_back(value / one);
    sketches.push_back(quotient_error(value, error, one, one_error));
}

}  // namespace exactgeo
