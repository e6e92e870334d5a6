#include "app/panels/lesson/lesson_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <tuple>
#include <utility>

#include "app/ui/widgets.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// "2 A blur   1 of 2"
std::string page_label(const LessonSession& session, std::size_t page) {
  const LessonSession::Done count = session.done_on(page);
  std::string text = std::to_string(page + 1) + "  " + session.lesson().pages[page].title;
  if (count.all > 0)
    text +=
        count.done == count.all ? "   done" : "   " + std::to_string(count.done) + " of " + std::to_string(count.all);
  return text;
}

/// The folder and the title of the lesson that follows one that comes with the program; empty if none does.
std::pair<std::filesystem::path, std::string> lesson_after(const std::filesystem::path& folder) {
  const std::vector<std::filesystem::path> all = installed_lessons();
  const auto found = std::ranges::find(all, folder);
  if (found == all.end() || found + 1 == all.end()) return {};
  try {
    return {*(found + 1), load_lesson(*(found + 1)).title};
  } catch (const Error&) {
    return {};  // The menu names what is damaged.
  }
}

}  // namespace

MarkdownLook LessonPanel::look(Desk& desk) {
  return {.fonts = desk.fonts(), .picture = [this, &desk](const MarkdownSpan& span, float width) {
            // Only files beside the pages are read, as in the exported page.
            if (span.target.find('/') == std::string::npos &&
                pictures_.draw(desk.lesson().lesson().folder / span.target, width)) {
              if (ImGui::IsItemHovered()) tooltip(span.text);
              return;
            }
            disabled_sentence(("picture: " + span.text).c_str());
          }};
}

void LessonPanel::follow(Desk& desk) {
  const LessonSession& session = desk.lesson();
  if (opened_ == session.opened() && page_ == session.page()) return;
  if (opened_ != session.opened()) {
    entered_.clear();
    axes_.clear();
    sources_.clear();
    pictures_.clear();
  }
  opened_ = session.opened();
  page_ = session.page();
  items_.clear();
  slides_ = {0};
  const std::vector<LessonBlock>& blocks = session.lesson().pages[page_].blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto* const text = std::get_if<LessonText>(&blocks[i]);
    if (text == nullptr) {
      items_.push_back({{}, i});
      continue;
    }
    bool begins = true;
    for (MarkdownBlock& block : parse_markdown(text->markdown)) {
      const bool is_heading = block.kind == MarkdownBlock::Kind::heading;
      if (begins || is_heading) items_.push_back({{}, i});
      if (is_heading && items_.size() > 1) slides_.push_back(items_.size() - 1);
      items_.back().text.push_back(std::move(block));
      begins = false;
    }
  }
  next_lesson_.clear();
  if (page_ + 1 == session.lesson().pages.size())
    std::tie(next_lesson_, next_title_) = lesson_after(session.lesson().folder);
  to_top_ = true;
  slide_ = std::exchange(to_last_, false) ? slides_.size() - 1 : 0;
}

void LessonPanel::draw_offered(Desk& desk) {
  if (!offered_) {
    offered_.emplace();
    for (const std::filesystem::path& folder : installed_lessons()) {
      try {
        const Lesson lesson = load_lesson(folder);
        offered_->push_back({folder, lesson.title, std::to_string(lesson.minutes) + " min", lesson.summary});
      } catch (const Error& error) {
        offered_->push_back({folder, folder.filename().string(), "damaged", error.what()});
      }
    }
  }
  heading(desk.fonts().strong, "Lessons");
  disabled_sentence(offered_->empty()
                        ? "None are installed. File > Open folder opens those of a teacher."
                        : "Each asks why something is fast. File > Open folder opens those of a teacher.");
  constexpr float column = 38.0f;  // In heights of a line of text.
  const int columns = std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / em(column)));
  if (ImGui::BeginTable("offered", columns, ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings)) {
    for (const LessonEntry& entry : *offered_) {
      ImGui::TableNextColumn();
      ImGui::Spacing();
      if (ImGui::Button(entry.title.c_str())) wanted_ = entry.folder;
      ImGui::SameLine();
      ImGui::TextDisabled("%s", entry.time.c_str());
      ImGui::TextWrapped("%s", entry.summary.c_str());
    }
    ImGui::EndTable();
  }
}

void LessonPanel::draw_toolbar(Desk& desk) {
  LessonSession& session = desk.lesson();
  const std::size_t pages = session.lesson().pages.size();
  if (ImGui::Button("Lessons")) session.close();
  if (ImGui::IsItemHovered()) tooltip("Close this one, which goes on here when it is opened again, and choose another");
  if (!session.is_open()) return;
  flow(em(3.2f));
  ImGui::BeginDisabled(page_ == 0);
  if (ImGui::Button("Back")) session.go_to(page_ - 1);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x, width = room > em(14) ? room - em(7.6f) : room;
  ImGui::SetNextItemWidth(width);
  const std::string shown =
      std::to_string(page_ + 1) + " of " + std::to_string(pages) + "   " + session.lesson().pages[page_].title;
  if (ImGui::BeginCombo("##page", elided(shown, width - em(2.2f)).c_str(), ImGuiComboFlags_HeightLarge)) {
    for (std::size_t i = 0; i < pages; ++i)
      if (ImGui::Selectable(page_label(session, i).c_str(), i == page_)) session.go_to(i);
    ImGui::EndCombo();
  }
  flow(em(3.3f));
  ImGui::BeginDisabled(page_ + 1 >= pages);
  if (ImGui::Button("Next")) session.go_to(page_ + 1);
  ImGui::EndDisabled();
  flow(em(3.3f));
  draw_more(desk);
}

void LessonPanel::draw_more(Desk& desk) {
  if (ImGui::Button("More")) ImGui::OpenPopup("more");
  if (!ImGui::BeginPopup("more")) return;
  LessonSession& session = desk.lesson();
  if (ImGui::MenuItem("Show hints and solutions", nullptr, session.shows_solutions()))
    session.show_solutions(!session.shows_solutions());
  if (ImGui::IsItemHovered()) tooltip("On the word of a teacher: without tries, until the lesson is closed");
  if (ImGui::BeginMenu("Begin again")) {
    if (ImGui::MenuItem("Forget answers and checks")) {
      session.begin_again();
      entered_.clear();
    }
    if (ImGui::IsItemHovered()) tooltip("The sketches that you have changed stay");
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

void LessonPanel::draw_items(Desk& desk, std::size_t begin, std::size_t end) {
  const MarkdownLook how = look(desk);
  for (std::size_t i = begin; i < end; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (items_[i].text.empty())
      draw_block(desk, {page_, items_[i].block});
    else
      draw_markdown(items_[i].text, how);
    ImGui::Dummy({0, em(0.1f)});
    ImGui::PopID();
  }
}

void LessonPanel::draw(Desk& desk) {
  if (!wanted_.empty()) desk.open(std::exchange(wanted_, {}));
  if (!desk.lesson().is_open()) return draw_offered(desk);
  follow(desk);
  draw_toolbar(desk);
  if (!desk.lesson().is_open()) return;  // It was just closed.
  follow(desk);
  if (ImGui::BeginChild("page")) {
    if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
    disabled_sentence(desk.lesson().lesson().title.c_str());
    draw_items(desk, 0, items_.size());
    const std::vector<LessonPage>& pages = desk.lesson().lesson().pages;
    ImGui::Dummy({0, em(0.5f)});
    if (page_ + 1 < pages.size()) {
      if (ImGui::Button(("Next: " + pages[page_ + 1].title).c_str())) desk.lesson().go_to(page_ + 1);
    } else {
      draw_end(desk);
    }
  }
  ImGui::EndChild();
}

void LessonPanel::draw_end(Desk& desk) {
  LessonSession& session = desk.lesson();
  std::vector<std::size_t> unfinished;
  for (std::size_t i = 0; i < session.lesson().pages.size(); ++i)
    if (const LessonSession::Done count = session.done_on(i); count.done < count.all) unfinished.push_back(i);
  ImGui::TextDisabled(unfinished.empty() ? "The end of the lesson: all is done."
                                         : "The end of the lesson. Left to do:");
  for (const std::size_t page : unfinished)
    if (ImGui::Button(page_label(session, page).c_str())) session.go_to(page);
  if (!next_lesson_.empty() && ImGui::Button(("Next lesson: " + next_title_).c_str())) wanted_ = next_lesson_;
}

std::size_t LessonPanel::end_of_slide(std::size_t slide) const {
  return slide + 1 < slides_.size() ? slides_[slide + 1] : items_.size();
}

void LessonPanel::step(Desk& desk, int by) {
  constexpr float most = 0.85f;  // The part of the screen by which a higher slide moves at once.
  const float room = ImGui::GetWindowHeight() * most, at = ImGui::GetScrollY(), end = ImGui::GetScrollMaxY();
  if (by > 0 && at + 1 < end) return ImGui::SetScrollY(std::min(at + room, end));
  if (by < 0 && at > 1) return ImGui::SetScrollY(std::max(at - room, 0.0f));
  LessonSession& session = desk.lesson();
  to_top_ = true;
  if (by > 0 && slide_ + 1 < slides_.size()) {
    ++slide_;
  } else if (by < 0 && slide_ > 0) {
    --slide_;
  } else if (by > 0) {
    session.go_to(page_ + 1);
  } else if (page_ > 0) {
    to_last_ = true;
    session.go_to(page_ - 1);
  }
}

void LessonPanel::turn(Desk& desk) {
  if (ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) return;
  const auto pressed = [](std::initializer_list<ImGuiKey> keys) {
    return std::ranges::any_of(keys, [](ImGuiKey key) { return ImGui::IsKeyPressed(key); });
  };
  if (pressed({ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_PageDown})) step(desk, 1);
  if (pressed({ImGuiKey_LeftArrow, ImGuiKey_UpArrow, ImGuiKey_PageUp})) step(desk, -1);
}

void LessonPanel::draw_slide(Desk& desk) {
  follow(desk);
  turn(desk);
  follow(desk);
  if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
  draw_items(desk, slides_[slide_], end_of_slide(slide_));
  const Lesson& lesson = desk.lesson().lesson();
  std::string place =
      lesson.title + ", page " + std::to_string(page_ + 1) + " of " + std::to_string(lesson.pages.size());
  if (slides_.size() > 1) place += ", slide " + std::to_string(slide_ + 1) + " of " + std::to_string(slides_.size());
  ImGui::Dummy({0, em(0.3f)});
  disabled_sentence(place.c_str());
}

}  // namespace threadscape::app
