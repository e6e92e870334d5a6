#include "app/scenes/seams_scene.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/ui/view_canvas.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 8> key_help{{
    {"P", "play the seams, or stop"},
    {", / .", "one seam back, on"},
    {"Home / End", "before the first seam, behind the last"},
    {"R / W / O / C", "picture, when, how often, compare"},
    {"E / D", "energy, cumulative cost (down)"},
    {"F, double-click", "fit the picture to the view"},
    {"1", "one screen pixel per picture pixel"},
    {"wheel, drag", "zoom at the mouse, pan"},
}};

constexpr std::array<std::pair<ImGuiKey, SeamsShow>, 6> show_keys{{{ImGuiKey_R, SeamsShow::picture},
                                                                   {ImGuiKey_W, SeamsShow::when},
                                                                   {ImGuiKey_O, SeamsShow::often},
                                                                   {ImGuiKey_C, SeamsShow::compare},
                                                                   {ImGuiKey_E, SeamsShow::energy},
                                                                   {ImGuiKey_D, SeamsShow::cost}}};

const gl::Texture* texture_of(const gl::Resource* resource) {
  return resource != nullptr ? resource->texture() : nullptr;
}

Shape input_shape(const Workspace& workspace) {
  const auto source = workspace.source();
  return source ? source->picture.pixels.shape() : Shape{};
}

/// The upper left part of a picture with four channels, with as many channels as `shape`.
HostArray part_of(const HostArray& whole, const Shape& shape) {
  HostArray part(shape);
  const std::size_t pixel = whole.shape().pixel_bytes(), kept = shape.pixel_bytes();
  for (std::int64_t y = 0; y < shape.height; ++y) {
    const std::byte* from = whole.data() + static_cast<std::size_t>(y) * whole.pitch();
    std::byte* to = part.data() + static_cast<std::size_t>(y) * part.pitch();
    for (std::int64_t x = 0; x < shape.width; ++x, from += pixel, to += kept)
      std::memcpy(to, from, kept);
  }
  return part;
}

}  // namespace

bool SeamsScene::can_show(const AlgorithmInfo& algorithm) {
  return diagrams_of(algorithm.name).seams != nullptr;
}

std::optional<ParamBox> SeamsScene::computed(const Workspace& workspace) {
  const DiagramInfo& diagrams = diagrams_of(workspace.algorithm().name);
  const Shape input = input_shape(workspace);
  const ParamBox& params = workspace.work().params;
  seams_.reset();
  wanted_.reset();
  total_ = 0;
  if (diagrams.seams == nullptr || input.kind != Kind::image || !params.problem().empty()) return {};
  try {
    seams_ = diagrams.seams(params, input);
    if (!seams_) return {};
    for (const SeamRun& run : seams_->runs)
      total_ += run.seams;
    wanted_ = shows_energy() ? diagrams.seam_energy(params, input, step(), show_ == SeamsShow::cost) : seams_->map;
  } catch (const Error&) {
    seams_.reset();  // the workspace says what is wrong
  }
  return wanted_;
}

bool SeamsScene::arrived(const LiveView& live) const {
  return seams_ && wanted_ && live.shown() && live.shown()->params == *wanted_;
}

int SeamsScene::step() const {
  const int chosen = look().step;
  return chosen < 0 ? total_ : std::min(chosen, total_);
}

void SeamsScene::choose_step(int step) {
  view_.as<SeamsView>().step = step >= total_ ? -1 : std::max(step, 0);
}

void SeamsScene::play(bool on) {
  playing_ = on && total_ > 0;
  since_ = ImGui::GetTime();
  passed_ = 0.0;
  if (playing_ && step() >= total_) choose_step(0);
}

/// Seams go by the clock; energies, which are searched for, as fast as the backend finds them.
void SeamsScene::advance(const LiveView& live) {
  if (!playing_) return;
  const double now = ImGui::GetTime(), passed = now - std::exchange(since_, now);
  if (!arrived(live)) return;
  passed_ += passed * static_cast<double>(look().pace);
  const double whole = std::floor(passed_);
  passed_ -= whole;
  const int next = step() + static_cast<int>(std::min(whole, static_cast<double>(total_)));
  choose_step(next);
  if (next >= total_) playing_ = false;
}

bool SeamsScene::turn(int frame, int frames) {
  if (total_ == 0 || shows_energy()) return false;
  choose_step(static_cast<int>(std::lround(static_cast<double>(total_) * frame / std::max(frames - 1, 1))));
  return true;
}

void SeamsScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  advance(live);
  const ImVec4 canvas = canvas_colour();
  settings_.background = {canvas.x, canvas.y, canvas.z, 1.0f};
  settings_.extent = {0, 0};
  settings_.colour_map = render::ColourMap::none;
  settings_.exposure = settings_.offset = 0.0f;
  target.bind();
  target.clear(settings_.background);
  const gl::Texture* input = texture_of(live.input());
  const gl::Texture* output = texture_of(live.output());
  const glm::ivec2 view{target.width(), target.height()};
  navigator_.begin(settings_, view, navigator_.picture());
  if (input == nullptr) return;
  colour_ = gl::info_of(input->format()).channels == 4;
  if (output != nullptr && arrived(live)) {
    if (shows_energy())
      draw_energy(live, *output);
    else
      draw_seams(live, *input, *output);
    if (show_ == SeamsShow::compare) draw_titles(target);
    return;
  }
  // On the way: the last picture, or what is there at all. Without a map the result itself.
  const bool plain = !seams_ && output != nullptr;
  const gl::Texture& shown = plain ? *output : *input;
  size_ = {shown.width(), shown.height()};
  draw_picture(shown, {0, 0});
}

void SeamsScene::draw_picture(const gl::Texture& texture, glm::ivec2 extent) {
  const glm::ivec2 size = extent.x > 0 ? extent : glm::ivec2(texture.width(), texture.height());
  const glm::ivec2 view = navigator_.view();
  // A picture that shrinks stays in its place: the view is fitted to its largest size.
  const glm::ivec2 largest = show_ == SeamsShow::compare ? size : glm::max(size, {texture.width(), texture.height()});
  navigator_.begin(settings_, view, largest);
  settings_.extent = extent;
  image_.draw(texture, nullptr, settings_, view.x, view.y);
}

void SeamsScene::draw_energy(const LiveView& live, const gl::Texture& energy) {
  const std::pair now{energy.id(), live.output_version()};
  if (bounds_of_ != now) {
    bounds_.begin(energy);
    bounds_of_ = now;
  }
  if (const auto tree = bounds_.take(false)) range_ = {tree->low(), tree->high()};
  const float gain = range_.y > range_.x ? 1.0f / (range_.y - range_.x) : 1.0f;
  settings_.exposure = std::log2(gain);
  settings_.offset = -range_.x * gain;
  settings_.colour_map = look().colours;
  size_ = {energy.width(), energy.height()};
  draw_picture(energy, {0, 0});
}

void SeamsScene::draw_seams(const LiveView& live, const gl::Texture& input, const gl::Texture& map) {
  if (input.width() != map.width() || input.height() != map.height()) return;  // for a frame, of another picture
  pass_.begin(input, map, seams_->runs, live.output_version() + live.input_version());
  const glm::ivec2 all{input.width(), input.height()};
  const SeamsView view = look();
  size_ = render::size_after(all, seams_->runs, step());
  const int colours = static_cast<int>(view.colours);
  switch (show_) {
    case SeamsShow::when:
      pass_.paint_when(colours);
      return draw_picture(pass_.painted(), all);
    case SeamsShow::often:
      pass_.paint_often(colours);
      return draw_picture(pass_.painted(), all);
    case SeamsShow::compare:
      pass_.compare(step(), glm::vec3(settings_.background));
      return draw_picture(pass_.composed(), {0, 0});
    default:
      pass_.move(step(), view.highlight);
      return draw_picture(pass_.picture(), size_);
  }
}

void SeamsScene::draw_titles(const gl::Framebuffer& target) {
  ViewCanvas canvas(target);
  const float unit = std::clamp(canvas.height() / 33.0f, 12.0f, 40.0f);
  constexpr std::array<std::string_view, 3> titles{"carved", "scaled", "cropped"};
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const auto left = static_cast<float>((size_.x + pass_.gap()) * static_cast<int>(i));
    const glm::vec2 at = render::image_to_view(settings_, navigator_.view(), {left, 0.0f});
    canvas.label({at.x + 0.6f * unit, at.y + unit}, titles[i], unit, ink());
  }
  canvas.finish();
}

std::optional<HostArray> SeamsScene::result(const LiveView& live) {
  const gl::Texture* input = texture_of(live.input());
  const gl::Texture* map = texture_of(live.output());
  if (!arrived(live) || shows_energy() || input == nullptr || map == nullptr) return {};
  pass_.begin(*input, *map, seams_->runs, live.output_version() + live.input_version());
  pass_.move(step(), 0);
  const HostArray whole = pass_.picture().read();
  return part_of(whole, Shape::image(whole.shape().element, colour_ ? 4 : 1, pass_.size().x, pass_.size().y));
}

void SeamsScene::toolbar(const Workspace&) {
  const std::array<Segment, 6> segments{{{"Picture", true, "Behind the seams so far (R)"},
                                         {"When", true, "The input, coloured by when each pixel is taken (W)"},
                                         {"Often", true, "How often seams went through each place (O)"},
                                         {"Compare", true, "Carved, scaled and cropped to one size (C)"},
                                         {"Energy", true, "What the loss of each pixel costs now (E)"},
                                         {"Cost", true, "The least energy of a path down to each pixel (D)"}}};
  const float width = std::min(em(30), ImGui::GetContentRegionAvail().x * 0.72f);
  const int clicked = segmented("show", segments, static_cast<int>(show_), width);
  if (clicked >= 0) show_ = static_cast<SeamsShow>(clicked);
  ImGui::SameLine();
  if (ImGui::Button("Fit")) navigator_.fit();
  if (ImGui::IsItemHovered()) tooltip("Show everything (F)");
  ImGui::SameLine();
  if (ImGui::Button("1:1")) navigator_.actual_size(settings_);
  if (ImGui::IsItemHovered()) tooltip("One screen pixel per picture pixel (1)");
  play_bar();
}

void SeamsScene::play_bar() {
  ImGui::BeginDisabled(total_ == 0);
  if (ImGui::Button(playing_ ? "Stop" : "Play", {em(3.6f), 0})) play(!playing_);
  if (ImGui::IsItemHovered()) tooltip("The seams, one after another (P)");
  ImGui::SameLine();
  const float pace_width = em(7);
  ImGui::SetNextItemWidth(
      std::max(ImGui::GetContentRegionAvail().x - pace_width - ImGui::GetStyle().ItemSpacing.x, em(4)));
  int number = step();
  const std::string label =
      "%d of " + std::to_string(total_) + " seams:  " + std::to_string(size_.x) + " x " + std::to_string(size_.y);
  if (ImGui::SliderInt("##step", &number, 0, std::max(total_, 1), label.c_str(), ImGuiSliderFlags_AlwaysClamp)) {
    playing_ = false;
    choose_step(number);
  }
  if (ImGui::IsItemHovered()) tooltip("Any size on the way, at once: drag (, and . go one by one)");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(pace_width);
  ImGui::SliderFloat("##pace", &view_.as<SeamsView>().pace, SeamsView::slowest, SeamsView::fastest, "%.0f / s",
                     ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  if (ImGui::IsItemHovered()) tooltip("Seams per second while it plays");
  ImGui::EndDisabled();
}

void SeamsScene::menu() {
  if (ImGui::MenuItem("Fit", "F")) navigator_.fit();
  if (ImGui::MenuItem("1:1", "1")) navigator_.actual_size(settings_);
  if (ImGui::MenuItem(playing_ ? "Stop" : "Play", "P", false, total_ > 0)) play(!playing_);
}

std::span<const KeyHelp> SeamsScene::help() const {
  return key_help;
}

void SeamsScene::keys() {
  if (!keys_are_free()) return;
  for (const auto& [key, show] : show_keys)
    if (ImGui::IsKeyPressed(key, false)) show_ = show;
  navigator_.keys(settings_);
  if (ImGui::IsKeyPressed(ImGuiKey_P, false)) play(!playing_);
  const auto go = [this](ImGuiKey key, int step) {
    if (!ImGui::IsKeyPressed(key)) return;
    playing_ = false;
    choose_step(step);
  };
  go(ImGuiKey_Comma, step() - 1);
  go(ImGuiKey_Period, step() + 1);
  go(ImGuiKey_Home, 0);
  go(ImGuiKey_End, total_);
}

void SeamsScene::interact(const LiveView&, ImVec2 origin, ImVec2 size, bool hovered) {
  keys();
  navigator_.mouse(settings_, origin, size, hovered);
}

void SeamsScene::panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) {
  heading(fonts.strong, "Seams");
  if (!seams_) {
    ImGui::TextDisabled(workspace.problem().empty() ? "choose a width or a height" : "see above");
    return;
  }
  const Shape input = input_shape(workspace);
  ImGui::Text("%d of %d", step(), total_);
  ImGui::TextDisabled("%lld x %lld  to  %d x %d", static_cast<long long>(input.width),
                      static_cast<long long>(input.height), size_.x, size_.y);
  if (!arrived(live)) ImGui::TextDisabled("searching...");
}

std::vector<std::pair<std::string, double>> SeamsScene::figures() const {
  return {{"step", step()}, {"total", total_}, {"width", size_.x}, {"height", size_.y}};
}

}  // namespace threadscape::app
