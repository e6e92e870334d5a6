#include "app/session/sources.h"

#include <algorithm>
#include <utility>

namespace threadscape::app {

HostArray Work::make_input() const {
  HostArray made = algorithm->own_input->make(params, seed);
  if (algorithm->check_input) algorithm->check_input(params, std::as_const(made).view());
  return made;
}

std::shared_ptr<const Source> Sources::put(std::filesystem::path path, io::Picture picture) {
  auto source = std::make_shared<Source>();
  source->path = std::move(path);
  source->picture = std::move(picture);
  source->id = next_id_++;
  earlier_.erase(source->picture.pixels.shape().kind);
  opened_[source->picture.pixels.shape().kind] = source;
  return source;
}

void Sources::put_back(std::shared_ptr<const Source> source) {
  const Kind kind = source->picture.pixels.shape().kind;
  // What was opened before a result, and is opened again, is no earlier input any more; nor are those after it.
  if (const auto found = earlier_.find(kind); found != earlier_.end()) {
    auto& earlier = found->second;
    earlier.erase(std::ranges::find(earlier, source), earlier.end());
    if (earlier.empty()) earlier_.erase(found);
  }
  opened_[kind] = std::move(source);
}

std::shared_ptr<const Source> Sources::put_result(std::string origin, io::Picture picture) {
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
  const auto found = opened_.find(kind);
  return found == opened_.end() ? nullptr : found->second;
}

bool Sources::matches_own(const Work& work) const {
  return own_.work.algorithm == work.algorithm && own_.work.seed == work.seed &&
         work.algorithm->own_input->same(own_.work.params, work.params);
}

void Sources::refresh(const Work& work) {
  if (!is_own(work) || matches_own(work)) return;
  own_ = {.work = work, .source = nullptr, .refusal = {}};
  own_.work.source_id = next_own_id_++;
}

std::shared_ptr<const Source> Sources::find(const Work& work) const {
  if (work.algorithm->input == Kind::none) return nullptr;
  if (!is_own(work)) return opened(work.algorithm->input);
  return matches_own(work) ? own_.source : nullptr;
}

std::uint64_t Sources::id_of(const Work& work) const {
  if (is_own(work)) return matches_own(work) ? own_.work.source_id : next_own_id_;
  const auto source = find(work);
  return source ? source->id : 0;
}

bool Sources::is_due(const Work& work) const {
  return is_own(work) && !find(work) && refusal(work).empty();
}

std::string Sources::refusal(const Work& work) const {
  return is_own(work) && matches_own(work) ? own_.refusal : std::string{};
}

std::shared_ptr<const Source> Sources::store_made(const Work& work, HostArray made) {
  auto source = std::make_shared<Source>();
  source->picture.pixels = std::move(made);
  source->id = work.source_id;
  if (own_.work.source_id == work.source_id) own_.source = source;
  return source;
}

void Sources::refuse(const Work& work, std::string why) {
  if (own_.work.source_id == work.source_id) own_.refusal = std::move(why);
}

}  // namespace threadscape::app
