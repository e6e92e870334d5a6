#pragma once
// Where the frames of a video begin in time, for exact jumps to a frame.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace threadscape::io {

/// The times of all frames of a video in the units of its stream, in the order in which frames are shown, found from
/// its packets without decoding them. Frame k has the k-th time.
class VideoIndex {
 public:
  /// A packet in which decoding can begin.
  struct Key {
    std::int64_t shown = 0;  ///< The time of its frame.
    std::int64_t seek = 0;   ///< The time that the container is asked for to get to this packet.
  };

  void add(std::int64_t shown, std::int64_t seek, bool key) {
    times_.push_back(shown);
    if (key) keys_.push_back({shown, seek});
  }
  /// A packet without a time: frames cannot be found by their times.
  void add_without_time() { ++without_time_; }
  void complete() {
    std::ranges::sort(times_);
    std::ranges::sort(keys_, {}, &Key::shown);
    exact_ = without_time_ == 0 && std::ranges::adjacent_find(times_) == times_.end();
  }

  [[nodiscard]] std::int64_t frames() const { return static_cast<std::int64_t>(times_.size()) + without_time_; }
  /// Returns whether each frame has a time of its own.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] std::int64_t time_of(std::int64_t index) const { return times_[static_cast<std::size_t>(index)]; }
  /// The number of the frame with exactly this time.
  [[nodiscard]] std::optional<std::int64_t> index_of(std::int64_t time) const {
    const auto found = std::ranges::lower_bound(times_, time);
    if (found == times_.end() || *found != time) return std::nullopt;
    return found - times_.begin();
  }
  /// The last packet at or before this time in which decoding can begin.
  [[nodiscard]] std::optional<Key> key_before(std::int64_t time) const {
    const auto after = std::ranges::upper_bound(keys_, time, {}, &Key::shown);
    if (after == keys_.begin()) return std::nullopt;
    return *std::prev(after);
  }

 private:
  std::vector<std::int64_t> times_;
  std::vector<Key> keys_;
  std::int64_t without_time_ = 0;
  bool exact_ = false;
};

}  // namespace threadscape::io
