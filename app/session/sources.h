#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/session/work.h"

namespace threadscape::app {

/// The data that algorithms work on: for each kind the file that was opened last, and the input that the chosen
/// algorithm makes itself where no file of its kind is open. Reading changes nothing: ids are handed out by put() and
/// refresh() alone.
class Sources {
 public:
  /// Stores data under a new id, in the place of those of the same kind. Returns them as a source.
  std::shared_ptr<const Source> put(std::filesystem::path path, io::Picture picture);
  /// Forgets the file of this kind.
  void close(Kind kind) { opened_.erase(kind); }
  /// The file of this kind that was opened last; null when there is none.
  [[nodiscard]] std::shared_ptr<const Source> opened(Kind kind) const;

  /// Whether the algorithm of `work` makes its input itself: it can, and no file of that kind is open.
  [[nodiscard]] bool is_own(const Work& work) const {
    return work.algorithm->own_input && !opened(work.algorithm->input);
  }
  /// Reserves an id for the input that `work` makes itself, unless it works on the same input as in the last call.
  void refresh(const Work& work);
  /// The input of `work`; null when it has none, or its own one is not made yet.
  [[nodiscard]] std::shared_ptr<const Source> find(const Work& work) const;
  /// Source::id of that input, also while it is yet to be made; 0 when there is none. For an own input that refresh()
  /// has not seen yet it is the id that refresh() will reserve.
  [[nodiscard]] std::uint64_t id_of(const Work& work) const;
  /// Whether `work` makes its input itself, and that is neither made yet nor refused.
  [[nodiscard]] bool is_due(const Work& work) const;
  /// Why the own input of `work` cannot be made; "" when nothing is known against it.
  [[nodiscard]] std::string refusal(const Work& work) const;

  /// Stores the own input of `work`, if `work.source_id` is still the reserved id. Returns it as a source either way.
  std::shared_ptr<const Source> store_made(const Work& work, HostArray made);
  /// Stores why that input cannot be made, if `work.source_id` is still the reserved id.
  void refuse(const Work& work, std::string why);
  /// An input that was refused may be tried again.
  void forget_refusal() { own_.refusal.clear(); }

 private:
  /// The input that an algorithm makes itself.
  struct OwnInput {
    Work work;                             ///< What it is for; source_id is the reserved id.
    std::shared_ptr<const Source> source;  ///< Null until it is made.
    std::string refusal;                   ///< Why it cannot be made.
  };
  /// Ids of inputs that algorithms make start here, so that a reserved id is never one of an opened file.
  static constexpr std::uint64_t first_own_id = std::uint64_t{1} << 40;

  /// Whether own_ is the input that `work` makes itself.
  [[nodiscard]] bool matches_own(const Work& work) const;

  std::map<Kind, std::shared_ptr<const Source>> opened_;
  OwnInput own_;
  std::uint64_t next_id_ = 1;
  std::uint64_t next_own_id_ = first_own_id;
};

}  // namespace threadscape::app
