// The controls of the bars scene: toolbar, keys, mouse, and the panel with the values under the mouse.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "app/scenes/bars/bars_scene.h"
#include "app/scenes/kernel_choice.h"
#include "app/scenes/picture_navigator.h"
#include "app/ui/icons.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 6> key_help{{
    {"B / R / I / D", "input and result / result / input / diagram"},
    {"S", "bars or a strip of colours"},
    {"F, double-click", "all values"},
    {"wheel", "zoom at the mouse"},
    {"drag", "pan"},
    {", / . / P", "steps of the reduction's tree: back, on, play"},
}};

constexpr double tree_steps_per_second = 1.0;
/// Length of the sequence that is offered to see the sorting network: few enough for its lines to be told apart.
constexpr int network_values = 32;

/// A value with as many digits as identify it.
std::string exact_text(const interop::ValueProbe::Bytes& bytes, Element element) {
  std::array<char, 48> text{};
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  };
  if (element == Element::f32)
    std::snprintf(text.data(), text.size(), "%.9g", static_cast<double>(as(0.0f)));
  else if (element == Element::f64)
    std::snprintf(text.data(), text.size(), "%.17g", as(0.0));
  else
    return element == Element::i32   ? std::to_string(as(std::int32_t{}))
           : element == Element::u32 ? std::to_string(as(std::uint32_t{}))
                                     : std::to_string(as(std::int64_t{}));
  return text.data();
}

}  // namespace

void BarsScene::choose_step(int step) {
  BarsView view = look();
  view.step = std::clamp(step, 1, std::max(tree_steps_, 1));
  view_ = ParamBox::of(view);
}

void BarsScene::tree_controls(const TreeDiagram& tree) {
  const int steps = static_cast<int>(tree.steps.size());
  const double now = ImGui::GetTime();
  if (playing_ && now - since_ >= 1.0 / tree_steps_per_second) {
    since_ = now;
    choose_step(look().step % steps + 1);
  }
  ImGui::SameLine();
  if (icon_button(playing_ ? Icon::pause : Icon::play, "play", "")) {
    playing_ = !playing_;
    since_ = now;
  }
  if (ImGui::IsItemHovered()) tooltip("The steps of the tree, one after another (P)");
  ImGui::SameLine();
  int step = std::min(look().step, steps);
  ImGui::SetNextItemWidth(em(8));
  if (slider_int("##tree step", &step, 1, steps, "step %d", ImGuiSliderFlags_AlwaysClamp)) {
    playing_ = false;
    choose_step(step);
  }
  if (ImGui::IsItemHovered()) tooltip("Any step of the tree (, and . go one by one)");
}

void BarsScene::toolbar(const Workspace& workspace) {
  const DiagramInfo& diagrams = diagrams_of(workspace.algorithm());
  const bool sequence = workspace.algorithm().output == Kind::sequence;
  const bool access = diagrams.access != nullptr, tree_like = diagrams.tree != nullptr;
  std::array<Segment, 4> segments{{{"Both"},
                                   {"Result"},
                                   {"Input"},
                                   {access      ? "Reads"
                                    : tree_like ? "Tree"
                                                : "Network"}}};
  segments[0].tooltip = sequence ? "The input above the result (B)" : "The result on its input (B)";
  segments[1].tooltip = "The result (R)";
  segments[2].tooltip = "The input (I)";
  segments[3].tooltip = access      ? "The words that a warp reads (D)"
                        : tree_like ? "The steps of a CUDA variant within a block (D)"
                                    : "The comparisons of the network, for up to 64 values (D)";
  segments[3].enabled = access || tree_like || (diagrams.network != nullptr && count() <= 64);
  const int clicked =
      segmented("show", segments, static_cast<int>(show_), std::min(em(20), ImGui::GetContentRegionAvail().x * 0.5f));
  if (clicked >= 0) show_ = static_cast<BarsShow>(clicked);
  // A file keeps its length, whatever the parameters say.
  if (diagrams.network != nullptr && !segments[3].enabled && !workspace.can_close()) offer_network();
  if (show_ == BarsShow::diagram) {
    const Work work = workspace.wanted();
    const std::vector<std::string_view> among = network_kernels(work);
    if (const auto kernel = tree_like || !among.empty() ? kernel_list(work, look().kernel, among) : std::nullopt) {
      BarsView view = look();
      view.kernel = *kernel;
      view_ = ParamBox::of(view);
    }
    if (const auto tree = tree_of(workspace.wanted())) {
      tree_controls(*tree);
      return;
    }
    playing_ = false;
    if (diagrams.network != nullptr || access) return;
  }
  playing_ = false;
  flow(em(8));
  BarsView view = look();
  const std::array<Segment, 2> styles{{{"Bars"}, {"Strip"}}};
  const int style = segmented("style", styles, static_cast<int>(view.style), em(8));
  if (style >= 0) {
    view.style = static_cast<BarsView::Style>(style);
    view_ = ParamBox::of(view);
  }
  flow(icon_button_width());
  if (icon_button(Icon::fit, "Fit", "All values (F)")) fit();
  const double shown = end_ - first_;
  const std::string values = (shown < 1e4 ? std::to_string(std::llround(shown)) : format_count(shown)) + " values";
  if (!fits_behind(ImGui::CalcTextSize(values.c_str()).x)) return;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", values.c_str());
}

void BarsScene::offer_network() {
  const std::string label = "Show " + std::to_string(network_values) + " values";
  flow(ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x);
  if (ImGui::Button(label.c_str()) && desk() != nullptr) {
    desk()->workspace().set_parameter("count", std::to_string(network_values));
    show_ = BarsShow::diagram;
  }
  if (ImGui::IsItemHovered()) tooltip("A short sequence, whose comparisons the network shows one by one");
}

void BarsScene::menu() {
  if (ImGui::MenuItem("All values", "F")) fit();
}

std::span<const KeyHelp> BarsScene::help() const {
  return key_help;
}

void BarsScene::keys() {
  if (!keys_are_free()) return;
  constexpr std::array<std::pair<ImGuiKey, BarsShow>, 4> shows{{{ImGuiKey_B, BarsShow::both},
                                                                {ImGuiKey_R, BarsShow::result},
                                                                {ImGuiKey_I, BarsShow::input},
                                                                {ImGuiKey_D, BarsShow::diagram}}};
  for (const auto& [key, show] : shows)
    if (ImGui::IsKeyPressed(key, false)) show_ = show;
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) fit();
  if (ImGui::IsKeyPressed(ImGuiKey_S, false)) {
    BarsView view = look();
    view.style = view.style == BarsView::Style::bars ? BarsView::Style::strip : BarsView::Style::bars;
    view_ = ParamBox::of(view);
  }
  if (show_ != BarsShow::diagram || tree_steps_ == 0) return;  // Without a tree these keys belong to the step bar.
  const int step = std::min(look().step, tree_steps_);
  if (ImGui::IsKeyPressed(ImGuiKey_Comma)) choose_step(step - 1);
  if (ImGui::IsKeyPressed(ImGuiKey_Period)) choose_step(step + 1);
  if (ImGui::IsKeyPressed(ImGuiKey_P, false)) {
    playing_ = !playing_;
    since_ = ImGui::GetTime();
  }
}

void BarsScene::interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) {
  keys();
  place_.reset();
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseDown(ImGuiMouseButton_Middle)) panning_ = false;
  if (panes_.empty() || size.x <= 0) return;
  // On HiDPI screens the view's framebuffer has more pixels than its item has units.
  const float scale = static_cast<float>(size_.x) / size.x;
  const double mouse_x = static_cast<double>((io.MousePos.x - origin.x) * scale);
  const Pane& pane = panes_.front();  // All panes have the same columns.
  const double per_pixel = (end_ - first_) / pane.size.x;
  const double at = first_ + (mouse_x - pane.corner.x) * per_pixel;
  const auto all = static_cast<double>(count());

  if (hovered && (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Middle)))
    panning_ = true;
  if (panning_ && io.MouseDelta.x != 0) {
    const double shift = -static_cast<double>(io.MouseDelta.x * scale) * per_pixel;
    first_ += shift;
    end_ += shift;
    fitted_ = false;
  }
  if (hovered && io.MouseWheel != 0) {
    const double wanted =
        std::clamp((end_ - first_) * std::pow(1.2, -static_cast<double>(io.MouseWheel)), 4.0, 2 * all + 4);
    const double factor = wanted / (end_ - first_);
    first_ = at - (at - first_) * factor;
    end_ = first_ + wanted;
    fitted_ = false;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) fit();
  if (hovered && at >= 0 && at < all) place_ = static_cast<std::int64_t>(at);
  request_values(live);
}

void BarsScene::request_values(const LiveView& live) {
  const std::array<const gl::Resource*, 2> resources{live.input(), live.output()};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    const Shape& shape = row.summary.shape();
    if (const auto bytes = row.probe.poll()) row.value = exact_text(*bytes, shape.element);
    if (const auto bytes = row.companion_probe.poll()) row.companion = exact_text(*bytes, Element::u32);
    const bool there = resources[i] != nullptr && resources[i]->buffer() != nullptr && row.summary.values() != nullptr;
    if (!there || !place_ || *place_ >= shape.width) {
      row.value.clear();
      row.companion.clear();
      continue;
    }
    const std::size_t bytes = size_of(shape.element);
    const gl::Buffer& buffer = *resources[i]->buffer();
    if (!row.probe.pending()) row.probe.request(buffer, static_cast<std::size_t>(*place_) * bytes, bytes);
    if (shape.height > 1 && !row.companion_probe.pending())
      row.companion_probe.request(buffer, static_cast<std::size_t>(shape.width + *place_) * bytes, bytes);
  }
}

std::vector<std::pair<std::string, double>> BarsScene::figures() const {
  return {{"first", first_}, {"values", end_ - first_}, {"place", place_ ? static_cast<double>(*place_) : -1.0}};
}

bool BarsScene::animating() const {
  const auto awaits = [](const Row& row) {
    return row.summary.awaited() || row.probe.pending() || row.companion_probe.pending();
  };
  return playing_ || std::ranges::any_of(rows_, awaits);
}

void BarsScene::panel(const Workspace&, const LiveView&, const Fonts& fonts) {
  heading(fonts.strong, "Value");
  if (note_) {
    ImGui::TextDisabled("%s", note_->title.c_str());
    ImGui::PushFont(fonts.mono, 0.0f);
    ImGui::TextUnformatted(note_->number.c_str());
    ImGui::PopFont();
  }
  if (!place_) {
    disabled_sentence("move the mouse over the values");
    return;
  }
  ImGui::TextDisabled("place %lld", static_cast<long long>(*place_));
  constexpr std::array<const char*, 2> titles{"input", "result"};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].value.empty()) continue;
    ImGui::TextUnformatted(titles[i]);
    ImGui::SameLine(em(3.6f));
    ImGui::PushFont(fonts.mono, 0.0f);
    ImGui::TextUnformatted(rows_[i].value.c_str());
    if (!rows_[i].companion.empty()) {
      ImGui::SameLine();
      ImGui::TextDisabled("from %s", rows_[i].companion.c_str());
    }
    ImGui::PopFont();
  }
}

}  // namespace threadscape::app
