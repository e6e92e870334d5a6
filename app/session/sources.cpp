#include "app/session/sources.h"

#include <algorithm>
#include <utility>

#include "app/session/moving_file.h"
#include "app/session/step_list.h"

namespace threadscape::app {

HostArray Work::make_input(const std::stop_token& stop, Progress* progress) const {
  HostArray made = before ? before->make(threads, stop, progress) : algorithm->own_input->make(params, seed);
  if (algorithm->check_input) algorithm->check_input(params, std::as_const(made).view());
  return made;
}

std::shared_ptr<const Source> Sources::put(std::filesystem::path path, io::Loaded picture) {
  auto source = std::make_shared<Source>();
  source->path = std::move(path);
  source->picture = std::move(picture);
  source->id = next_id_++;
  earlier_.erase(source->picture.pixels.shape().kind);
  opened_[source->picture.pixels.shape().kind] = source;
  return source;
}

void Sources::put_frame(std::shared_ptr<Source> frame) {
  const auto before = opened(Kind::image);
  if (!before) return;
  if (before->stream == 0) first_frame_ = before;
  frame->id = next_id_++;
  frame->stream = before->stream_id();
  opened_[Kind::image] = std::move(frame);
}

bool Sources::clip_follows_picture() const {
  const auto picture = opened(Kind::image);
  if (!picture || !moves(picture->path)) return false;
  const auto file = opened_.find(Kind::clip);
  return file == opened_.end() || file->second->id < picture->stream_id();
}

void Sources::put_moving_clip(std::shared_ptr<Source> clip) {
  if (clip) {
    clip->id = next_id_++;
    clip->stream = opened(Kind::image)->stream_id();
  }
  moving_clip_ = std::move(clip);
}

std::shared_ptr<const Source> Sources::as_opened(const std::shared_ptr<const Source>& source) const {
  return source && source->stream != 0 && first_frame_ && first_frame_->id == source->stream ? first_frame_ : source;
}

void Sources::put_back(std::shared_ptr<const Source> source) {
  const Kind kind = source->picture.pixels.shape().kind;
  if (const auto present = opened(kind); present && present->stream == source->id) return;
  // What was opened before a result, and is opened again, is no earlier input any more; nor are those after it.
  if (const auto found = earlier_.find(kind); found != earlier_.end()) {
    auto& earlier = found->second;
    earlier.erase(std::ranges::find(earlier, source), earlier.end());
    if (earlier.empty()) earlier_.erase(found);
  }
  opened_[kind] = std::move(source);
}

std::shared_ptr<const Source> Sources::put_result(std::string origin, io::Loaded picture) {
  auto source = std::make_shared<Source>();
  source->origin = std::move(origin);
  source->picture = std::move(picture);
  source->id = next_id_++;
  const Kind kind = source->picture.pixels.shape().kind;
  auto& earlier = earlier_[kind];
  earlier.push_back(opened(kind));
  if (earlier.size() > max_earlier) earlier.erase(earlier.begin());
  opened_[kind] = source;
  return source;
}

void Sources::go_back(Kind kind) {
  const auto found = earlier_.find(kind);
  if (found == earlier_.end()) return;
  const std::shared_ptr<const Source> before = std::move(found->second.back());
  found->second.pop_back();
  if (found->second.empty()) earlier_.erase(found);
  if (before)
    opened_[kind] = before;
  else
    opened_.erase(kind);
}

std::shared_ptr<const Source> Sources::opened(Kind kind) const {
  if (kind == Kind::clip && moving_clip_ && clip_follows_picture() &&
      moving_clip_->stream == opened(Kind::image)->stream_id())
    return moving_clip_;
  const auto found = opened_.find(kind);
  return found == opened_.end() ? nullptr : found->second;
}

Shape Sources::own_shape(const Work& work) {
  return work.before ? work.before->shape : work.algorithm->own_input->shape(work.params);
}

void Sources::find_start(StepsBefore& before) const {
  for (const MadeBySteps& made : made_) {
    const StepsBefore& shorter = *made.before;
    const std::size_t count = shorter.steps.size();
    if (count <= before.start_steps || count >= before.steps.size() || shorter.seed != before.seed ||
        (shorter.source ? shorter.source->id : 0) != (before.source ? before.source->id : 0) ||
        shorter.kind != before.steps[count].algorithm->input ||
        !std::equal(shorter.steps.begin(), shorter.steps.end(), before.steps.begin()))
      continue;
    before.start = made.source;
    before.start_steps = count;
  }
}

void Sources::keep_made(const Work& work, const std::shared_ptr<const Source>& source) {
  // Of a moving picture, the results of earlier frames are not wanted again.
  std::erase_if(made_, [&](const MadeBySteps& made) {
    return made.before->same_input(*work.before) || (source->stream != 0 && made.source->stream == source->stream &&
                                                     made.before->source->id != work.before->source->id);
  });
  made_.push_back({work.before, source});
  std::size_t bytes = 0, kept = 0;
  for (auto made = made_.rbegin(); made != made_.rend(); ++made, ++kept) {
    bytes += made->source->picture.pixels.shape().bytes();
    if (kept > 0 && (kept == max_made || bytes > max_made_bytes)) break;
  }
  made_.erase(made_.begin(), made_.end() - static_cast<std::ptrdiff_t>(kept));
}

bool Sources::matches_own(const Work& work) const {
  if (work.before) return own_.work.before == work.before && own_.work.algorithm == work.algorithm;
  if (own_.work.before) return false;
  return own_.work.algorithm == work.algorithm && own_.work.seed == work.seed &&
         work.algorithm->own_input->same(own_.work.params, work.params);
}

void Sources::refresh(const Work& work) {
  if (!is_own(work) || matches_own(work)) return;
  if (work.before)
    for (const MadeBySteps& made : made_)
      if (made.before->same_input(*work.before)) {
        own_ = {.work = work, .source = made.source, .refusal = {}};
        own_.work.source_id = made.source->id;
        return;
      }
  own_ = {.work = work, .source = nullptr, .refusal = {}};
  own_.work.source_id = next_own_id_++;
}

std::shared_ptr<const Source> Sources::find(const Work& work) const {
  if (work.algorithm->input == Kind::none) return nullptr;
  if (!is_own(work)) return opened(work.algorithm->input);
  return own_.source;
}

std::uint64_t Sources::id_of(const Work& work) const {
  if (is_own(work)) return own_.work.source_id;
  const auto source = find(work);
  return source ? source->id : 0;
}

bool Sources::is_due(const Work& work) const {
  return is_own(work) && !find(work) && refusal(work).empty();
}

std::string Sources::refusal(const Work& work) const {
  return is_own(work) ? own_.refusal : std::string{};
}

std::shared_ptr<const Source> Sources::store_made(const Work& work, HostArray made) {
  auto source = std::make_shared<Source>();
  source->picture.pixels = std::move(made);
  source->id = work.source_id;
  if (work.before) {
    const Step& last = work.before->steps.back();
    source->origin =
        "result of step " + std::to_string(work.before->steps.size()) + ", " + std::string(last.algorithm->name);
    source->picture.settings = work.before->settings;
    const auto& first = work.before->source;
    if (first) source->stream = first->stream, source->frame = first->frame;
    const bool coloured = first && first->picture.colour != io::FileColour::grey;
    if (source->picture.pixels.shape().channels == 4)
      source->picture.colour = coloured ? first->picture.colour : io::FileColour::rgba;
    keep_made(work, source);
  }
  if (own_.work.source_id == work.source_id) own_.source = source;
  return source;
}

void Sources::refuse(const Work& work, std::string why) {
  if (own_.work.source_id == work.source_id) own_.refusal = std::move(why);
}

}  // namespace threadscape::app
