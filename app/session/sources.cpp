#include "app/session/sources.h"

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
  opened_[source->picture.pixels.shape().kind] = source;
  return source;
}

void Sources::put_back(std::shared_ptr<const Source> source) {
  const Kind kind = source->picture.pixels.shape().kind;
  opened_[kind] = std::move(source);
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
