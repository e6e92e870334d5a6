// The list of the dialog for files, with places, dates, small pictures and formats.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "app/shell/file_browser.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// The date and the time of day, of this machine: "2026-03-01 18:05".
std::string date_text(fs::file_time_type written) {
  const auto system = std::chrono::file_clock::to_sys(written);
  const std::time_t seconds =
      std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(system));
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return {};
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
  return text.data();
}

/// The width that a thumbnail of this height has in front of a name.
float room_of_thumbnail(float height) {
  return height * static_cast<float>(thumbnail_width) / static_cast<float>(thumbnail_height) +
         ImGui::GetStyle().ItemInnerSpacing.x;
}

}  // namespace

void FileBrowser::sort_entries() {
  const auto before = [this](const Entry& a, const Entry& b) {
    if (sorted_by_ == Column::date && a.written != b.written) return a.written < b.written;
    if (sorted_by_ == Column::size && a.bytes != b.bytes) return a.bytes < b.bytes;
    return lower(a.name) < lower(b.name);
  };
  std::ranges::stable_sort(entries_, [&](const Entry& a, const Entry& b) {
    if (a.is_folder != b.is_folder) return a.is_folder;
    return descending_ ? before(b, a) : before(a, b);
  });
}

void FileBrowser::draw_thumbnail(const gl::Texture& picture, float height) {
  const auto width = static_cast<float>(picture.width()), tall = static_cast<float>(picture.height());
  const float room = room_of_thumbnail(height) - ImGui::GetStyle().ItemInnerSpacing.x;
  const float scale = std::min(room / width, height / tall);
  const ImVec2 start = ImGui::GetCursorScreenPos(), size{width * scale, tall * scale};
  const ImVec2 low{start.x + (room - size.x) / 2, start.y + (height - size.y) / 2};
  ImGui::GetWindowDrawList()->AddImage(static_cast<ImTextureID>(picture.id()), low, {low.x + size.x, low.y + size.y});
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room_of_thumbnail(height));
}

bool FileBrowser::draw_entries() {
  const ImGuiStyle& style = ImGui::GetStyle();
  // The message may need several lines, which the list leaves room for.
  const float message = trouble_.empty()
                            ? ImGui::GetTextLineHeight()
                            : ImGui::CalcTextSize(trouble_.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y;
  const float cure = offered_name().empty() ? 0.0f : ImGui::GetFrameHeightWithSpacing();
  const float footer = 2 * ImGui::GetFrameHeightWithSpacing() + message + style.ItemSpacing.y + cure;
  const float height = ImGui::GetContentRegionAvail().y - footer;
  if (!places_.empty() && ImGui::GetContentRegionAvail().x > em(36)) draw_places(height);
  bool accepted = false;
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable;
  if (ImGui::BeginTable("entries", 3, flags, {0, height})) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_DefaultSort);
    ImGui::TableSetupColumn("Changed", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_PreferSortDescending,
                            em(8.5f));
    ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_PreferSortDescending,
                            em(5));
    ImGui::TableHeadersRow();
    if (ImGuiTableSortSpecs* const order = ImGui::TableGetSortSpecs(); order != nullptr && order->SpecsDirty) {
      if (order->SpecsCount > 0) {
        sorted_by_ = static_cast<Column>(order->Specs->ColumnIndex);
        descending_ = order->Specs->SortDirection == ImGuiSortDirection_Descending;
      }
      order->SpecsDirty = false;
      sort_entries();
    }
    reads_pictures_ = pictures_.update();
    const std::string wanted = lower(filter_);
    const Entry* go_to = nullptr;
    for (const Entry& entry : entries_) {
      if (!wanted.empty() && lower(entry.name).find(wanted) == std::string::npos) continue;
      if (!draw_entry(entry)) continue;
      if (entry.is_folder)
        go_to = &entry;
      else
        accepted = true;
    }
    ImGui::EndTable();
    if (go_to != nullptr) enter(folder_ / go_to->name);
  }
  return accepted;
}

float FileBrowser::draw_picture(const Entry& entry) {
  const fs::path path = folder_ / entry.name;
  if (entry.is_folder || !(lists_presets() || io::has_picture_extension(path))) return 0.0f;
  const float height = em(lists_presets() ? 3.0f : 1.8f);
  const gl::Texture* picture = nullptr;
  if (ImGui::IsRectVisible({1, height})) picture = lists_presets() ? thumbnails_.of(path) : pictures_.of(path);
  if (picture != nullptr)
    draw_thumbnail(*picture, height);
  else if (lists_presets())
    return 0.0f;
  else
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room_of_thumbnail(height));
  return height;
}

bool FileBrowser::draw_entry(const Entry& entry) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const float height = draw_picture(entry);
  const std::string label = entry.is_folder ? entry.name + "/" : entry.name;
  const bool chosen = marked_.empty() ? entry.name == name_ : marked_.contains(entry.name);
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0.5f});
  const bool clicked = ImGui::Selectable(label.c_str(), chosen,
                                         ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                                             ImGuiSelectableFlags_NoAutoClosePopups,
                                         {0, height});
  ImGui::PopStyleVar();
  if (clicked && !entry.is_folder) choose_entry(entry.name);
  const float line = std::max((height - ImGui::GetTextLineHeight()) / 2, 0.0f);
  const auto write = [line](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + line);
    ImGui::TextDisabled("%s", text.c_str());
  };
  write(date_text(entry.written));
  write(entry.is_folder ? "" : format_bytes(static_cast<double>(entry.bytes)));
  // Enter opens what is highlighted, and the space bar chooses it. A file that would be replaced is only chosen.
  const bool by_key = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
  return clicked && (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) || (by_key && (entry.is_folder || !saves())));
}

void FileBrowser::draw_places(float height) {
  ImGui::BeginChild("places", {em(8), height});
  for (const FilePlace& place : places_) {
    if (ImGui::Selectable(place.title.c_str(), place.folder == folder_, ImGuiSelectableFlags_NoAutoClosePopups))
      enter(fs::path(place.folder));
    if (ImGui::IsItemHovered()) tooltip(place.folder.string());
  }
  ImGui::EndChild();
  ImGui::SameLine();
}

void FileBrowser::choose_format(const std::string& extension) {
  const std::vector<std::string> all = wanted_extensions();
  if (std::ranges::find(all, extension) == all.end()) return;
  const std::string name = lower(name_);
  std::size_t end = name_.size();
  for (const std::string& old : all)
    if (name.ends_with(old) && name.size() > old.size()) end = std::min(end, name.size() - old.size());
  if (end == name_.size() && !name_.empty()) end -= fs::path(name_).extension().string().size();
  name_ = name_.substr(0, end) + extension;
  confirm_overwrite_ = false;
  trouble_.clear();
}

void FileBrowser::draw_formats() {
  const std::vector<std::string> all = wanted_extensions();
  shows_formats_ = false;
  if (!saves() || all.size() < 2) return;
  const std::string name = lower(name_);
  const auto now = std::ranges::find_if(all, [&](const std::string& one) { return name.ends_with(one); });
  ImGui::SetNextItemWidth(em(6));
  if (ImGui::BeginCombo("##format", now == all.end() ? "format" : now->c_str())) {
    shows_formats_ = true;
    for (const std::string& extension : all)
      if (ImGui::Selectable(extension.c_str(), now != all.end() && extension == *now)) choose_format(extension);
    ImGui::EndCombo();
  }
  if (ImGui::IsItemHovered()) tooltip("The format of the file: those that can hold the result");
  ImGui::SameLine();
}

}  // namespace threadscape::app
