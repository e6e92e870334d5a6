#include "app/shell/notices.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::size_t max_shown = 4;
/// Frames that ImGui needs to know the size of a window that fits its contents, and to draw it there.
constexpr int frames_to_settle = 3;

/// Seconds that a message is shown: longer if there is something to read or to press.
double duration_of(const LogBook::Entry& entry) {
  if (entry.level != LogBook::Level::info) return 15.0;
  return entry.offers.empty() ? 5.0 : 8.0;
}

bool is_bad(const LogBook::Entry& entry) {
  return entry.level == LogBook::Level::warning || entry.level == LogBook::Level::error;
}

constexpr ImGuiWindowFlags floating = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize;

/// Begins a frame for a message that is as high as its contents, with a bar of this colour at its left edge.
bool begin_plate(const char* id, float width, const ImVec4& bar) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyle().Colors[ImGuiCol_PopupBg]);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.7f), em(0.5f)});
  const bool visible = ImGui::BeginChild(
      id, {width, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_Borders | ImGuiChildFlags_AlwaysUseWindowPadding,
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(low, {low.x + em(0.25f), low.y + size.y}, ImGui::GetColorU32(bar),
                                            ImGui::GetStyle().ChildRounding, ImDrawFlags_RoundCornersLeft);
  return visible;
}

void draw_offers(const std::vector<Offer>& offers, std::optional<Offer>& pressed) {
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (i > 0) flow(ImGui::CalcTextSize(offers[i].label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x);
    if (ImGui::Button(offers[i].label.c_str())) pressed = offers[i];
  }
}

/// Puts the window that has been begun above all others, such as the large lab, but below popups. While a modal dialog
/// waits for an answer, the window stays where it is.
void raise_window() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (ImGui::GetTopMostPopupModal() != nullptr) return;
  ImGuiWindow* popup = context.OpenPopupStack.empty() ? nullptr : context.OpenPopupStack.front().Window;
  if (popup != nullptr)
    ImGui::BringWindowToDisplayBehind(ImGui::GetCurrentWindow(), popup);
  else
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
}

}  // namespace

void Notices::collect(const LogBook& log, double now, const std::string& shown_elsewhere) {
  settling_ = std::max(settling_ - 1, 0);
  for (LogBook::Entry& entry : log.entries_after(seen_)) {
    seen_ = entry.number;
    if (entry.level == LogBook::Level::detail) continue;
    if (is_bad(entry)) ++unread_;
    if (!shown_elsewhere.empty() && entry.text == shown_elsewhere) continue;
    std::erase_if(shown_, [&entry](const Notice& old) { return old.entry.text == entry.text; });
    const double end = now + duration_of(entry);
    shown_.push_back({std::move(entry), end});
    settling_ = frames_to_settle;
  }
  std::erase_if(shown_, [now](const Notice& notice) { return notice.end <= now; });
  if (shown_.size() > max_shown) shown_.erase(shown_.begin(), shown_.end() - max_shown);
  assign_windows();
}

void Notices::assign_windows() {
  for (Notice& notice : shown_)
    for (int free = 0; notice.window < 0; ++free)
      if (std::ranges::find(shown_, free, &Notice::window) == shown_.end()) notice.window = free;
}

std::vector<std::string> Notices::texts() const {
  std::vector<std::string> texts;
  for (const Notice& notice : shown_)
    texts.push_back(notice.entry.text);
  return texts;
}

bool Notices::draw_notice(Notice& notice, float width, double now, std::optional<Offer>& pressed) {
  bool keep = true;
  ImGui::PushID(notice.window);
  const bool bad = is_bad(notice.entry);
  if (begin_plate("notice", width, bad ? warning_colour() : backend_colour(Backend::cuda))) {
    const float cross = ImGui::GetFontSize();
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    const ImVec2 start = ImGui::GetCursorPos();
    ImGui::PushTextWrapPos(right - cross - em(0.3f));
    ImGui::TextUnformatted(notice.entry.text.c_str());
    ImGui::PopTextWrapPos();
    const ImVec2 below = ImGui::GetCursorPos();
    ImGui::SetCursorPos({right - cross, start.y});
    if (ImGui::InvisibleButton("close", {cross, cross})) keep = false;
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImU32 colour = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
    const float a = 0.25f * cross, b = 0.75f * cross;
    ImGui::GetWindowDrawList()->AddLine({low.x + a, low.y + a}, {low.x + b, low.y + b}, colour, em(0.1f));
    ImGui::GetWindowDrawList()->AddLine({low.x + b, low.y + a}, {low.x + a, low.y + b}, colour, em(0.1f));
    if (!notice.entry.offers.empty()) ImGui::SetCursorPos(below);
    std::optional<Offer> chosen;
    draw_offers(notice.entry.offers, chosen);
    if (chosen) {
      pressed = std::move(chosen);
      keep = false;
    }
    // What the mouse is over is being read.
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) notice.end = std::max(notice.end, now + 2.0);
  }
  ImGui::EndChild();
  ImGui::PopID();
  return keep;
}

std::optional<Offer> Notices::draw(ImVec2 low, ImVec2 high, double now, bool has_status_line) {
  const auto drawn = [has_status_line](const Notice& notice) { return is_bad(notice.entry) || !has_status_line; };
  if (std::ranges::none_of(shown_, drawn)) return {};
  std::optional<Offer> pressed;
  const float margin = em(0.4f), width = std::min(em(27), high.x - low.x - 2 * margin);
  ImGui::SetNextWindowPos({high.x - margin, low.y + margin}, ImGuiCond_Always, {1, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::SetNextWindowBgAlpha(0.0f);
  const bool visible = ImGui::Begin("##notices", nullptr, floating | ImGuiWindowFlags_NoNav);
  raise_window();
  if (visible)
    std::erase_if(shown_, [&](Notice& notice) { return drawn(notice) && !draw_notice(notice, width, now, pressed); });
  ImGui::End();
  ImGui::PopStyleVar();
  return pressed;
}

Notices::Notice* Notices::fact() {
  const auto found =
      std::find_if(shown_.rbegin(), shown_.rend(), [](const Notice& notice) { return !is_bad(notice.entry); });
  return found == shown_.rend() ? nullptr : &*found;
}

bool Notices::has_fact() const {
  return std::ranges::any_of(shown_, [](const Notice& notice) { return !is_bad(notice.entry); });
}

std::optional<Offer> Notices::draw_fact(float room, double now) {
  Notice* const notice = fact();
  if (notice == nullptr) return {};
  std::optional<Offer> pressed;
  const ImGuiStyle& style = ImGui::GetStyle();
  float buttons = 0;
  for (const Offer& offer : notice->entry.offers)
    buttons += ImGui::CalcTextSize(offer.label.c_str()).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
  ImGui::TextUnformatted(elided(notice->entry.text, std::max(room - buttons, em(3))).c_str());
  bool read = ImGui::IsItemHovered();
  if (read) tooltip(notice->entry.text);
  for (const Offer& offer : notice->entry.offers) {
    ImGui::SameLine();
    if (ImGui::Button(offer.label.c_str())) pressed = offer;
    read = read || ImGui::IsItemHovered();
  }
  ImGui::SameLine();
  // What the mouse is over is being read.
  if (read) notice->end = std::max(notice->end, now + 2.0);
  if (pressed) notice->end = now;
  return pressed;
}

std::optional<Offer> draw_refusal(const std::string& text, const std::vector<Offer>& offers, ImVec2 low, float width) {
  std::optional<Offer> pressed;
  ImGui::SetCursorScreenPos(low);
  if (begin_plate("refusal", width, warning_colour())) {
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(warning_colour(), "%s", text.c_str());
    ImGui::PopTextWrapPos();
    draw_offers(offers, pressed);
  }
  ImGui::EndChild();
  return pressed;
}

}  // namespace threadscape::app
