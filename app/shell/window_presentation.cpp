// The presenter's mode: the picture on the full screen with large type, without panels.

#include <imgui_internal.h>

#include <algorithm>
#include <glm/common.hpp>

#include "app/session/timing_figures.h"
#include "app/shell/thumbnail.h"
#include "app/shell/window.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

void Window::present(bool on) {
  if (on == presenting_) return;
  presenting_ = on;
  platform_.set_fullscreen(on);
}

float Window::text_scale(const Input& input) const {
  const float usual = input.content_scale * look_.scale;
  constexpr float usual_height = 720.0f;
  return presenting_
             ? presentation_scale * std::max(usual, look_.scale * static_cast<float>(input.height) / usual_height)
             : usual;
}

float Window::transport_height(float width) const {
  return moving_.active() && moving_.why_ignored().empty() ? TransportBar::height(width) : 0.0f;
}

void Window::draw_transport() {
  const float width = ImGui::GetContentRegionAvail().x;
  if (transport_height(width) == 0) return;
  const float button = em(5.2f);
  const float left = ImGui::GetCursorPosX();
  TransportBar::draw(moving_.player(), width, button + ImGui::GetStyle().ItemSpacing.x);
  ImGui::SameLine(left + width - button);
  draw_record_button();
}

void Window::draw_record_button() {
  const float width = ImGui::GetContentRegionAvail().x;
  if (recorder_) {
    const std::string label = recorder_->stopped() ? "Ending" : "Stop " + std::to_string(recorder_->frames());
    ImGui::PushStyleColor(ImGuiCol_Text, warning_colour());
    ImGui::BeginDisabled(recorder_->stopped());
    if (ImGui::Button((label + "###record").c_str(), {width, 0})) stop_recording();
    ImGui::EndDisabled();
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered())
      tooltip("Recording " + recorder_->path().string() + ": " + std::to_string(recorder_->frames()) + " frames");
    return;
  }
  if (ImGui::Button("Record###record", {width, 0})) ImGui::OpenPopup("record what");
  if (ImGui::IsItemHovered())
    tooltip("Write each frame from now on into a video while it is shown; none is dropped meanwhile");
  if (!ImGui::BeginPopup("record what")) return;
  if (ImGui::MenuItem("The result...")) ask_record(false);
  if (ImGui::MenuItem("The view...")) ask_record(true);
  ImGui::EndPopup();
}

void Window::draw_ignored(ImVec2 low, float width) {
  if (!moving_.active() || moving_.why_ignored().empty() || !workspace_.problem().empty()) return;
  const AlgorithmInfo& other = workspace_.picture_algorithm();
  const std::vector<Offer> offers{
      {Offer::Action::choose_algorithm, "Use " + std::string(other.title), std::string(other.name)}};
  if (const auto offer = draw_refusal(moving_.why_ignored(), offers, low, width)) accept(*offer);
}

void Window::draw_presentation() {
  const ImGuiID space = ImGui::GetID("threadscape");
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.Pos);
  ImGui::SetNextWindowSize(viewport.Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.4f), em(0.4f)});
  // The arrows turn slides where there are some, and do not go from button to button.
  Panel* const slide = text_page();
  const bool visible =
      ImGui::Begin("Presentation###presentation", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                       (slide != nullptr ? ImGuiWindowFlags_NoNav : ImGuiWindowFlags_None));
  ImGui::PopStyleVar();
  rest_panels(space);
  if (visible) {
    if (slide != nullptr) {
      draw_slide(*slide);
      ImGui::SameLine();
      ImGui::BeginGroup();
    }
    if (!scene().has_stages()) intermediates_.draw(workspace_, live_.settled(workspace_));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float caption = ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
    draw_picture({room.x, room.y - caption - transport_height(room.x)});
    draw_transport();
    draw_caption();
    if (slide != nullptr) ImGui::EndGroup();
  }
  ImGui::End();
  if (!visible) return;
  draw_notices(picture_[0], picture_[1]);
}

void Window::draw_slide(Panel& panel) {
  constexpr float share = 0.6f;  // The picture keeps the rest of the screen.
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_WindowBg));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(1), em(0.6f)});
  ImGui::BeginChild("slide", {ImGui::GetContentRegionAvail().x * share, 0}, ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  panel.draw_slide(*this);
  ImGui::EndChild();
}

/// Writes what is seen in one line below the picture.
void Window::draw_caption() {
  ImGui::PushFont(ui_.fonts().strong, 0.0f);
  ImGui::TextUnformatted(workspace_.algorithm().title.data());
  ImGui::PopFont();
  ImGui::SameLine(0, em(1));
  // Without panels, this line alone says why a picture stands still.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  const bool works = draw_progress();
  ImGui::PopStyleVar();
  if (const TimingSample* last = workspace_.timings.latest(); last != nullptr && !works) {
    ImGui::TextColored(backend_colour(last->backend), "%s", name_of(last->backend).data());
    ImGui::SameLine();
    const double median = shown_ms(workspace_.timings, last->backend);
    ImGui::TextUnformatted(format_ms(median > 0 ? median : last->times.total_ms()).c_str());
  }
  const auto source = workspace_.source();
  std::string right = source ? source->path.filename().string() : std::string{};
  if (!list_.empty()) right += "   " + std::to_string(list_.current() + 1) + " of " + std::to_string(list_.size());
  ImGui::SameLine(0, em(1));
  const float room = ImGui::GetContentRegionAvail().x;
  right = elided(right, room);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - ImGui::CalcTextSize(right.c_str()).x));
  ImGui::TextDisabled("%s", right.c_str());
}

bool Window::awaits_first_file() const {
  return live_.files().opening() && workspace_.source() == nullptr;
}

void Window::draw_arriving(ImVec2 origin, ImVec2 size) {
  const FileTasks& files = live_.files();
  if (drawn_overview_ != files.overview()) {
    drawn_overview_ = files.overview();
    overview_ = {};
  }
  const std::string arriving = live_.arriving_text();
  std::string text = arriving.empty() ? files.activity() : "opening " + arriving;
  if (drawn_overview_ == nullptr && arriving.empty() && !awaits_first_file()) return;
  // Everything else names the new file already, so that the picture of the file before would pass for it.
  const ImVec2 end{origin.x + size.x, origin.y + size.y};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(origin, end, ImGui::GetColorU32(canvas_colour()));
  if (drawn_overview_ == nullptr) {
    const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
    list.AddText({origin.x + (size.x - extent.x) / 2, origin.y + (size.y - extent.y) / 2},
                 ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
    return;
  }
  const io::Overview& overview = *drawn_overview_;
  if (overview_.empty()) {
    const Shape& shape = overview.pixels.shape();
    const glm::ivec2 extent{static_cast<int>(shape.width), static_cast<int>(shape.height)};
    const HostArray colours = shrink(overview.pixels.view(), {0, 0}, extent, glm::min(extent, glm::ivec2(2048)));
    overview_ = gl::Texture(colours.shape());
    overview_.write(colours.view());
    overview_.set_filter(gl::Filter::linear);
  }
  const auto width = static_cast<float>(overview.width), height = static_cast<float>(overview.height);
  const float scale = std::min(size.x / width, size.y / height);
  const ImVec2 low{origin.x + (size.x - width * scale) / 2, origin.y + (size.y - height * scale) / 2};
  list.AddImage(static_cast<ImTextureID>(overview_.id()), low, {low.x + width * scale, low.y + height * scale});
  text = text.empty() ? "Overview" : "Overview: " + text;
  const ImVec2 at{origin.x + em(1), end.y - em(2.2f)}, extent = ImGui::CalcTextSize(text.c_str());
  list.AddRectFilled({at.x - em(0.4f), at.y - em(0.2f)}, {at.x + extent.x + em(0.4f), at.y + extent.y + em(0.2f)},
                     ImGui::GetColorU32(ImGuiCol_PopupBg), em(0.2f));
  list.AddText(at, ImGui::GetColorU32(warning_colour()), text.c_str());
}

}  // namespace threadscape::app
