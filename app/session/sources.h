#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/session/work.h"

namespace threadscape::app {

/// The data that algorithms work on: for each kind of data the file that was opened last, and the input that the chosen
/// algorithm makes itself if no file of its kind is open. Reading changes nothing, because only put() and refresh()
/// assign ids.
class Sources {
 public:
  /// Stores data under a new id, instead of those of the same kind that were opened before. Returns them as a source.
  std::shared_ptr<const Source> put(std::filesystem::path path, io::Loaded picture);
  /// Stores a result instead of the data of the same kind that were opened before, which go_back() opens again.
  std::shared_ptr<const Source> put_result(std::string origin, io::Loaded picture);
  /// Makes the next frame of the moving picture whose first frame was opened, or of which a frame is opened, the opened
  /// picture. It has a new id, and belongs to the stream of the one before.
  void put_frame(std::shared_ptr<Source> frame);
  /// The clip of the newest frames of the opened moving picture, which opened() returns for clips while
  /// clip_follows_picture() is true; null forgets it. Gives it an id, and the stream of the present frame.
  void put_moving_clip(std::shared_ptr<Source> clip);
  /// Returns true if the opened picture moves, and was opened after the clip, if there is one: algorithms in time then
  /// work on its newest frames.
  [[nodiscard]] bool clip_follows_picture() const;
  /// What was opened by the user: `source` itself, or the first frame of the moving picture that `source` is a frame
  /// of.
  [[nodiscard]] std::shared_ptr<const Source> as_opened(const std::shared_ptr<const Source>& source) const;
  /// Forgets the data of this kind.
  void close(Kind kind) {
    opened_.erase(kind);
    earlier_.erase(kind);
  }
  /// Makes data that put() has returned earlier the opened ones of their kind again, under the id that they had. If
  /// they are the first frame of the moving picture that is opened, its present frame stays.
  void put_back(std::shared_ptr<const Source> source);
  /// The opened data of all kinds, sorted by kind.
  [[nodiscard]] const std::map<Kind, std::shared_ptr<const Source>>& all_opened() const { return opened_; }
  /// Returns true if the opened data of this kind are a result that put_result() has stored.
  [[nodiscard]] bool can_go_back(Kind kind) const { return earlier_.contains(kind); }
  /// Opens the data of this kind again that were opened before the latest result. If none were, none are afterwards.
  void go_back(Kind kind);
  /// What algorithms on this kind work on, unless they make their own input: the file of this kind that was opened
  /// last, or the clip of put_moving_clip(). Null if there is none.
  [[nodiscard]] std::shared_ptr<const Source> opened(Kind kind) const;

  /// Returns whether the input of `work` has to be made: by the steps before it, or by the algorithm itself, if it can
  /// and no file of that kind is open.
  [[nodiscard]] bool is_own(const Work& work) const {
    return work.before || (work.algorithm->own_input && !opened(work.algorithm->input));
  }
  /// The shape of the input of a work for which is_own() is true, made or not; of Kind::none if the steps before it
  /// cannot run.
  [[nodiscard]] static Shape own_shape(const Work& work);
  /// Lets `before` begin with the longest part of its steps whose result was kept.
  void find_start(StepsBefore& before) const;
  /// Reserves an id for the input that `work` makes itself, unless the last call was for an equal input. The functions
  /// that follow are called for a work that makes the input of the last call, or makes none.
  void refresh(const Work& work);
  /// The input of `work`; null if it has none, or if its own input is not made yet.
  [[nodiscard]] std::shared_ptr<const Source> find(const Work& work) const;
  /// Source::id of the input of `work`, even if the input is not made yet; 0 if there is none.
  [[nodiscard]] std::uint64_t id_of(const Work& work) const;
  /// Returns whether `work` makes its input itself, and the input is neither made nor refused yet.
  [[nodiscard]] bool is_due(const Work& work) const;
  /// The reason why the own input of `work` cannot be made; "" if none is known.
  [[nodiscard]] std::string refusal(const Work& work) const;

  /// Stores the own input of `work` if `work.source_id` is still the reserved id. Returns it as a source in both cases.
  std::shared_ptr<const Source> store_made(const Work& work, HostArray made);
  /// Stores the reason why the own input of `work` cannot be made, if `work.source_id` is still the reserved id.
  void refuse(const Work& work, std::string why);
  /// Lets an input that was refused be made again, for example because a file has changed.
  void forget_refusal() { own_.refusal.clear(); }

 private:
  /// The input that the chosen algorithm makes itself, and its state.
  struct OwnInput {
    Work work;                             ///< The work that the input is for; source_id is the reserved id.
    std::shared_ptr<const Source> source;  ///< The input; null until it is made.
    std::string refusal;                   ///< The reason why the input cannot be made; "" if none is known.
  };
  /// Ids of inputs that algorithms make start here, so that a reserved id never equals the id of an opened file.
  static constexpr std::uint64_t first_own_id = std::uint64_t{1} << 40;

  /// Returns whether own_ is the input that `work` makes itself.
  [[nodiscard]] bool matches_own(const Work& work) const;

  /// Inputs before the latest results that are kept for go_back(). More would fill the memory with volumes.
  static constexpr std::size_t max_earlier = 4;

  /// An input that steps have made.
  struct MadeBySteps {
    std::shared_ptr<const StepsBefore> before;
    std::shared_ptr<const Source> source;
  };
  /// Limits of what is kept of steps, so that each of their results is one click away: the number of inputs, and their
  /// bytes together, of which the latest input is exempt.
  static constexpr std::size_t max_made = 12, max_made_bytes = std::size_t{2} << 30;

  /// Keeps an input that steps have made, and forgets the oldest beyond the limits.
  void keep_made(const Work& work, const std::shared_ptr<const Source>& source);

  std::map<Kind, std::shared_ptr<const Source>> opened_;
  std::shared_ptr<const Source> first_frame_;  ///< Of the moving picture that is opened; null without one.
  std::shared_ptr<const Source> moving_clip_;  ///< What put_moving_clip() was given last.
  std::vector<MadeBySteps> made_;              ///< The oldest first.
  /// What was opened before each result, the latest last; null for nothing.
  std::map<Kind, std::vector<std::shared_ptr<const Source>>> earlier_;
  OwnInput own_;
  std::uint64_t next_id_ = 1;
  std::uint64_t next_own_id_ = first_own_id;
};

}  // namespace threadscape::app
