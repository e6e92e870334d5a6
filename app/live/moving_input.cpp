#include "app/live/moving_input.h"

#include <utility>

#include "app/session/moving_file.h"
#include "compute/core/kind_info.h"

namespace threadscape::app {

namespace {

/// Why the workspace makes nothing from a picture; "" if it does.
std::string why_not_used(const Workspace& workspace) {
  const AlgorithmInfo& first =
      workspace.steps().empty() ? workspace.algorithm() : *workspace.steps().steps().front().algorithm;
  if (first.input == Kind::image) return {};
  if (first.input == Kind::clip)
    return workspace.clip_follows_picture()
               ? std::string{}
               : std::string(first.title) + " works on a clip that was opened after the moving picture, and ignores " +
                     "that: open the moving picture again";
  return std::string(first.title) +
         (first.input == Kind::none ? " makes its own data"
                                    : " works on a " + std::string(info_of(first.input).user_name)) +
         " and ignores the moving picture: choose an algorithm that works on pictures";
}

}  // namespace

void MovingInput::follow(const Workspace& workspace) {
  const auto picture = workspace.picture();
  const std::uint64_t id = picture ? picture->stream_id() : 0;
  if (id == opened_) return;
  opened_ = id;
  given_ = 0;
  ignored_.clear();
  player_.close();
  if (picture && moves(picture->path)) player_.open(picture->path);
}

bool MovingInput::update(Workspace& workspace, const LiveView& live, Clock::time_point now) {
  player_.upload_ahead(live.takes_device_frames(workspace) ? live.route().device : nullptr);
  follow(workspace);
  if (!active()) return false;
  ignored_ = why_not_used(workspace);
  player_.hold(held_ || !ignored_.empty() || live.comparing());
  std::optional<DecodedFrame> frame = player_.update(now);
  if (!frame) return false;
  workspace.show_frame(std::move(frame->source), player_.has_jumped());
  given_ = workspace.picture()->id;
  return true;
}

void MovingInput::drawn(const Workspace& workspace, const LiveView& live, Clock::time_point now) {
  if (!player_.awaits()) return;
  const auto picture = workspace.picture();
  const bool shown = picture && picture->id == given_ && ignored_.empty() && live.shows_wanted(workspace);
  // What was cancelled, or has failed, would fail again with the next frame. The user may play on.
  const bool gave_up = live.gave_up(workspace);
  if (gave_up) player_.pause();
  if (shown || gave_up) player_.shown(now);
}

}  // namespace threadscape::app
