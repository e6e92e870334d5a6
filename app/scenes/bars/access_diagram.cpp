#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "app/scenes/bars/diagrams.h"

namespace threadscape::app {

namespace {

constexpr int columns = 32;  ///< Words of a row: a line of 128 bytes, or one word of each bank.

/// Draws the threads of the warp above the rows of memory that they read.
class AccessPicture {
 public:
  AccessPicture(ViewCanvas& canvas, const AccessDiagram& access)
      : canvas_(canvas), list_(canvas.list()), access_(access) {
    for (std::size_t lane = 0; lane < access.words.size(); ++lane) {
      const std::int64_t word = access.words[lane];
      readers_[word].push_back(static_cast<int>(lane));
      const std::int64_t together = access.fetched_together, first = word / together * together;
      for (std::int64_t w = first; w < first + together; ++w) {
        fetched_.insert(w);
        rows_[w / columns] = 0;
      }
    }
    int row = 0;
    for (auto& [number, place] : rows_)
      place = row++;
    const float w = canvas.width(), h = canvas.height();
    unit_ = std::clamp(std::min(w / 57.0f, h / 31.0f), 10.0f, 64.0f);
    left_ = 7.0f * unit_;
    cell_ = (w - left_ - 2.0f * unit_) / columns;
    top_ = 10.5f * unit_;
    row_height_ = std::min((h - top_ - 3.0f * unit_) / std::max(1.0f, static_cast<float>(rows_.size())),
                           std::min(cell_ * 0.9f, 2.2f * unit_));
  }

  void draw() {
    const float room = canvas_.width() - 2 * unit_;
    canvas_.text({unit_, 1.3f * unit_}, access_.title, unit_ * 1.1f, ink(), Align::left, room);
    canvas_.text({unit_, 3.0f * unit_}, access_.result, unit_ * 1.1f, access_.turns > 1 ? warning_ink() : good_ink(),
                 Align::left, room);
    canvas_.text({unit_, 4.3f * unit_}, access_.on_first_devices, unit_ * 0.85f, muted_ink(), Align::left, room);
    threads();
    canvas_.text({left_, 8.2f * unit_}, access_.memory, unit_ * 0.95f, ink(), Align::left, room - left_);
    if (access_.words.empty()) return;
    if (access_.fetched_together == 1) turns_of_columns();
    for (const auto& [number, place] : rows_)
      memory_row(number, place);
    canvas_.text({left_, canvas_.height() - 1.4f * unit_},
                 access_.fetched_together > 1
                     ? "full: read, by the thread of this number;   pale: fetched, but not read"
                     : "full: read, by the thread of this number",
                 unit_ * 0.9f, muted_ink(), Align::left, room - left_);
  }

 private:
  void cell(int column, float y, float height, ImU32 fill, const std::string& text, ImU32 text_colour) {
    const float x = left_ + cell_ * static_cast<float>(column), gap = std::max(0.5f, cell_ * 0.05f);
    const ImVec2 low{x + gap, y + gap}, high{x + cell_ - gap, y + height - gap};
    if (fill != 0)
      list_.AddRectFilled(low, high, fill, cell_ * 0.1f);
    else
      list_.AddRect(low, high, faint_ink(), cell_ * 0.1f);
    if (!text.empty())
      canvas_.text({x + cell_ / 2, y + height / 2}, text, std::min(cell_ * 0.5f, height * 0.7f), text_colour,
                   Align::centre, cell_ * 0.95f);
  }

  void threads() {
    canvas_.text({left_ - 0.5f * unit_, 5.9f * unit_}, "threads", unit_ * 0.85f, muted_ink(), Align::right);
    for (int lane = 0; lane < columns; ++lane) {
      const bool reads = access_.words.empty() || lane < static_cast<int>(access_.words.size());
      cell(lane, 5.0f * unit_, 1.8f * unit_, reads ? accent_ink() : 0, std::to_string(lane),
           reads ? fill_ink() : muted_ink());
    }
  }

  /// Writes above each column how many of its words are read: for shared memory, the accesses of that bank.
  void turns_of_columns() {
    canvas_.text({left_ - 0.5f * unit_, top_ - 0.7f * unit_}, "words read", unit_ * 0.8f, muted_ink(), Align::right);
    std::array<int, columns> words{};
    for (const auto& [word, lanes] : readers_)
      ++words[static_cast<std::size_t>(word % columns)];
    for (int column = 0; column < columns; ++column) {
      const int count = words[static_cast<std::size_t>(column)];
      canvas_.text({left_ + cell_ * (static_cast<float>(column) + 0.5f), top_ - 0.7f * unit_}, std::to_string(count),
                   std::min(unit_ * 0.8f, cell_ * 0.58f), count > 1 ? warning_ink() : muted_ink(), Align::centre);
    }
  }

  void memory_row(std::int64_t number, int place) {
    const float y = top_ + row_height_ * static_cast<float>(place);
    canvas_.text({left_ - 0.5f * unit_, y + row_height_ / 2}, "word " + std::to_string(number * columns),
                 std::min(unit_ * 0.85f, row_height_ * 0.8f), muted_ink(), Align::right);
    for (int column = 0; column < columns; ++column) {
      const std::int64_t word = number * columns + column;
      const auto lanes = readers_.find(word);
      if (lanes == readers_.end()) {
        const ImU32 pale = (warning_ink() & ~IM_COL32_A_MASK) | (70u << IM_COL32_A_SHIFT);
        cell(column, y, row_height_, fetched_.contains(word) ? pale : 0, "", 0);
        continue;
      }
      const std::size_t count = lanes->second.size();
      const std::string text = count == 1                      ? std::to_string(lanes->second.front())
                               : count == access_.words.size() ? "all"
                                                               : std::to_string(count) + "x";
      cell(column, y, row_height_, good_ink(), text, fill_ink());
    }
  }

  ViewCanvas& canvas_;
  ImDrawList& list_;
  const AccessDiagram& access_;
  std::map<std::int64_t, std::vector<int>> readers_;  ///< The lanes that read a word.
  std::set<std::int64_t> fetched_;                    ///< The words that are fetched, read or not.
  std::map<std::int64_t, int> rows_;                  ///< The place in the picture of each row of memory.
  float unit_ = 0, left_ = 0, cell_ = 0, top_ = 0, row_height_ = 0;
};

}  // namespace

void draw_access(ViewCanvas& canvas, const AccessDiagram& access) {
  AccessPicture(canvas, access).draw();
}

}  // namespace threadscape::app
