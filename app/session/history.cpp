#include "app/session/history.h"

#include <algorithm>
#include <set>
#include <utility>

namespace threadscape::app {

namespace {

const SettingInput* find_input(const Setting& setting, Kind kind) {
  const auto found = std::ranges::find(setting.inputs, kind, &SettingInput::kind);
  return found == setting.inputs.end() ? nullptr : &*found;
}

}  // namespace

void History::observe(const Setting& now, bool gesture) {
  if (!present_) present_ = now;
  if (!awaited_.empty() && take_awaited(now)) return;
  if (same_setting(*present_, now)) {
    present_->intermediate = now.intermediate;
    return;
  }
  if (!gesture) commit(now);
}

void History::commit(const Setting& now) {
  if (!present_ || same_setting(*present_, now)) return;
  past_.push_back(std::move(*present_));
  present_ = now;
  future_.clear();
  awaited_.clear();
  limit();
}

bool History::take_awaited(const Setting& now) {
  for (auto awaited = awaited_.begin(); awaited != awaited_.end();) {
    const SettingInput* input = find_input(now, awaited->kind);
    const SettingInput* before = find_input(*present_, awaited->kind);
    const bool arrived = input != nullptr && input->path == awaited->path && (!before || before->id != input->id);
    if (!arrived) {
      ++awaited;
      continue;
    }
    for (std::deque<Setting>* settings : {&past_, &future_})
      for (Setting& setting : *settings)
        for (SettingInput& old : setting.inputs)
          if (old.id == awaited->id) old = *input;
    if (before == nullptr) {
      present_->inputs.push_back(*input);
      std::ranges::sort(present_->inputs, {}, &SettingInput::kind);
    } else {
      *std::ranges::find(present_->inputs, awaited->kind, &SettingInput::kind) = *input;
    }
    awaited = awaited_.erase(awaited);
  }
  return same_setting(*present_, now);
}

std::string History::undo_name() const {
  return can_undo() ? describe_change(past_.back(), *present_) : std::string{};
}

std::string History::redo_name() const {
  return can_redo() ? describe_change(*present_, future_.back()) : std::string{};
}

std::optional<Setting> History::undo(const Setting& now) {
  commit(now);
  if (!past_.empty() && names_lost_file(past_.back())) past_.clear();
  if (past_.empty()) return {};
  future_.push_back(std::move(*present_));
  present_ = std::move(past_.back());
  past_.pop_back();
  return present_;
}

std::optional<Setting> History::redo(const Setting& now) {
  commit(now);
  if (!future_.empty() && names_lost_file(future_.back())) future_.clear();
  if (future_.empty()) return {};
  past_.push_back(std::move(*present_));
  present_ = std::move(future_.back());
  future_.pop_back();
  return present_;
}

void History::applied(const Setting& now, const Setting& wanted) {
  present_ = now;
  awaited_.clear();
  for (const SettingInput& input : wanted.inputs)
    if (!input.data && !input.path.empty()) awaited_.push_back(input);
  limit();
}

void History::await(const std::vector<std::pair<Kind, std::filesystem::path>>& files) {
  for (const auto& [kind, path] : files)
    awaited_.push_back({.path = path, .kind = kind, .id = 0, .data = nullptr});
}

std::size_t History::data_bytes() const {
  std::set<std::uint64_t> counted;
  for (const SettingInput& input : present_ ? present_->inputs : std::vector<SettingInput>{})
    counted.insert(input.id);
  std::size_t bytes = 0;
  for (const std::deque<Setting>* settings : {&past_, &future_})
    for (const Setting& setting : *settings)
      for (const SettingInput& input : setting.inputs)
        if (input.data && counted.insert(input.id).second) bytes += input.data->picture.pixels.shape().bytes();
  return bytes;
}

const SettingInput* History::farthest_data() const {
  for (std::size_t distance = std::max(past_.size(), future_.size()); distance > 0; --distance)
    for (const std::deque<Setting>* settings : {&past_, &future_}) {
      if (settings->size() < distance) continue;
      for (const SettingInput& input : (*settings)[settings->size() - distance].inputs)
        if (const SettingInput* open = find_input(*present_, input.kind);
            input.data && (open == nullptr || open->id != input.id))
          return &input;
    }
  return nullptr;
}

void History::limit() {
  while (past_.size() > entries_)
    past_.pop_front();
  while (data_bytes() > data_bytes_) {
    const SettingInput* farthest = farthest_data();
    if (farthest == nullptr) return;
    const std::uint64_t id = farthest->id;
    for (std::deque<Setting>* settings : {&past_, &future_})
      for (Setting& setting : *settings)
        for (SettingInput& input : setting.inputs)
          if (input.id == id) input.data = nullptr;
  }
}

}  // namespace threadscape::app
