#include "app/scenes/seams/seams_scene.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/ui/view_canvas.h"

namespace threadscape::app {

namespace {

/// After a replay there is no other one for this many times its duration, so that the window stays responsive at any
/// size.
constexpr int rest_after_replay = 3;

/// Value of a parameter, "" if there is no such parameter.
std::string text_of(const ParamBox& params, std::string_view name) {
  for (const FieldRef& field : params.fields())
    if (field.name == name) return to_text(field);
  return {};
}
bool has(const ParamBox& params, std::string_view name) {
  return std::ranges::any_of(params.fields(), [name](const FieldRef& field) { return field.name == name; });
}

const gl::Texture* texture_of(const gl::Resource* resource) {
  return resource != nullptr ? resource->texture() : nullptr;
}

/// The upper left part of a picture with four channels, with as many channels as `shape` has.
HostArray part_of(HostIn whole, const Shape& shape) {
  HostArray part(shape);
  const std::size_t pixel = whole.shape.pixel_bytes(), kept = shape.pixel_bytes();
  for (std::int64_t y = 0; y < shape.height; ++y) {
    const std::byte* from = whole.data + static_cast<std::size_t>(y) * whole.pitch;
    std::byte* to = part.data() + static_cast<std::size_t>(y) * part.pitch();
    for (std::int64_t x = 0; x < shape.width; ++x, from += pixel, to += kept)
      std::memcpy(to, from, kept);
  }
  return part;
}

}  // namespace

bool SeamsScene::can_show(const AlgorithmInfo& algorithm) {
  return diagrams_of(algorithm).seams.has_value();
}

std::optional<ParamBox> SeamsScene::params_to_compute(const Workspace& workspace) {
  const DiagramInfo& diagrams = diagrams_of(workspace.algorithm());
  const auto source = workspace.source();
  const Shape input = source ? source->picture.pixels.shape() : Shape{};
  const ParamBox& params = workspace.work().params;
  seams_.reset();
  requested_.reset();
  total_ = 0;
  const bool there = input.kind == Kind::image && source;
  input_size_ = there ? glm::ivec2(input.width, input.height) : glm::ivec2(0, 0);
  resizable_ = there && has(params, "width") && has(params, "height");
  paintable_ = there && has(params, "protect") && has(params, "remove");
  if (paintable_) mask_algorithm_ = &workspace.algorithm();
  if (paintable_ && (is_painting() || !masks_.empty()))
    masks_.follow(input_size_, {text_of(params, "protect"), text_of(params, "remove")});
  if (!diagrams.seams || !there || !params.problem().empty()) return {};
  try {
    seams_ = diagrams.seams->diagram(params, input);
    if (!seams_) return {};
    for (const SeamRun& run : seams_->runs)
      total_ += run.seams;
    requested_state_ = shown_state();
    requested_ = requested_state_ ? diagrams.seams->state(params, input, step(), *requested_state_) : seams_->map;
  } catch (const Error&) {
    seams_.reset();  // The workspace reports what is wrong.
  }
  return requested_;
}

std::optional<ParamBox> SeamsScene::params_of_run() const {
  return requested_ && shows_state() ? std::optional(seams_->map) : std::nullopt;
}

bool SeamsScene::is_complete(const LiveView& live) const {
  // A key that shows something else is pressed before that is requested.
  if (requested_state_ != shown_state()) return false;
  return seams_ && requested_ && live.shown() && live.shown()->params == *requested_ &&
         live.shown()->source_id == live.input_version();
}

bool SeamsScene::is_partial(const LiveView& live) const {
  return seams_ && requested_ && !shows_state() && live.partial() && live.partial()->params == *requested_ &&
         live.partial()->source_id == live.input_version();
}

bool SeamsScene::reads_runs_of_map(const LiveView& live, bool wait) {
  if (!seams_ || !seams_->runs_in_map || !is_complete(live) || shows_state()) {
    if (std::holds_alternative<gl::PendingRead>(map_runs_)) {
      map_runs_ = std::vector<SeamRun>{};
      map_runs_version_ = 0;
    }
    return false;
  }
  if (map_runs_version_ != live.output_version()) {
    map_runs_version_ = live.output_version();
    map_runs_ = live.output()->begin_read();
  }
  if (auto* read = std::get_if<gl::PendingRead>(&map_runs_)) {
    // Until the map has arrived, seams_->runs keeps the number of seams of each direction, which runs_in() needs.
    const std::optional<HostIn> map = wait ? read->wait() : read->poll();
    if (!map) return true;
    map_runs_ = diagrams_of(*live.shown()->algorithm).seams->runs_in(*seams_, *map);
  }
  seams_->runs = std::get<std::vector<SeamRun>>(map_runs_);
  return false;
}

std::optional<SeamState> SeamsScene::shown_state() const {
  if (show_ == SeamsShow::energy) return SeamState::energy;
  if (show_ == SeamsShow::cost) return SeamState::cost;
  if (!shows_phases()) return {};
  switch (view_settings().phase) {
    case SeamsPhase::grey:
      return SeamState::grey;
    case SeamsPhase::energy:
      return SeamState::energy;
    case SeamsPhase::removal:
      return {};
    default:
      return SeamState::candidates;
  }
}

int SeamsScene::phase_seam() const {
  return std::clamp(view_settings().step, 0, std::max(total_ - 1, 0));
}

void SeamsScene::step_phase(int direction) {
  constexpr int phases = static_cast<int>(seams_phase_names.size());
  const int now = phases * phase_seam() + static_cast<int>(view_settings().phase);
  const int next = std::clamp(now + direction, 0, std::max(phases * total_ - 1, 0));
  choose_step(next / phases);
  view_.as<SeamsView>().phase = static_cast<SeamsPhase>(next % phases);
}

int SeamsScene::step() const {
  if (shows_phases()) return shows_state() ? phase_seam() : std::min(phase_seam() + 1, found_);
  const int chosen = view_settings().step;
  // Energies are computed for the chosen step, so no seams have to be found before.
  const int available = shows_state() ? total_ : found_;
  return chosen < 0 ? available : std::min(chosen, available);
}

void SeamsScene::choose_step(int step) {
  view_.as<SeamsView>().step = step >= total_ ? -1 : std::max(step, 0);
}

void SeamsScene::play(bool on) {
  if (!on || total_ == 0) return playback_.stop();
  playback_.play(ImGui::GetTime());
  if ((view_settings().step < 0 || view_settings().step >= total_)) choose_step(0);
}

/// Playing seams advances with time, but not beyond the seams found so far; energies as fast as the backend computes
/// them.
void SeamsScene::advance(const LiveView& live) {
  if (shows_phases() || total_ == 0) playback_.stop();
  if (!playback_.playing()) return;
  const bool there = is_complete(live) || is_partial(live);
  const double whole = playback_.take_due(ImGui::GetTime(), there ? static_cast<double>(view_settings().pace) : 0.0);
  if (!there) return;
  const int next = step() + static_cast<int>(std::min(whole, static_cast<double>(total_)));
  if (next >= total_) playback_.stop();
  choose_step(shows_state() ? next : std::min(next, found_));
}

bool SeamsScene::show_frame(int frame, int frames) {
  if (total_ == 0 || shows_state() || shows_phases()) return false;
  choose_step(static_cast<int>(std::lround(static_cast<double>(total_) * frame / std::max(frames - 1, 1))));
  return true;
}

void SeamsScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  // The number of all seams, or of those that are complete in a map that is being filled.
  found_ = is_complete(live)  ? total_
           : is_partial(live) ? static_cast<int>(std::lround(live.partial_share() * total_))
                              : 0;
  searching_ = live.busy() && !is_complete(live);
  if (playback_.awaiting() && total_ > 0) play(true);
  const bool runs_are_unknown = reads_runs_of_map(live, false);
  advance(live);
  needs_redraw_ = false;
  const ImVec4 canvas = canvas_colour();
  settings_.background = {canvas.x, canvas.y, canvas.z, 1.0f};
  settings_.extent = {0, 0};
  settings_.colour_map = render::ColourMap::none;
  settings_.exposure = settings_.offset = 0.0f;
  target.clear(settings_.background);
  const gl::Texture* input = texture_of(live.input());
  const gl::Texture* output = texture_of(live.output());
  const glm::ivec2 view{target.width(), target.height()};
  navigator_.begin(settings_, view, navigator_.picture());
  if (input == nullptr) return;
  colour_ = gl::info_of(input->format()).channels == 4;
  if (is_painting()) {
    size_ = {input->width(), input->height()};
    draw_picture(*input, {0, 0}, live.input_version());
  } else if (output != nullptr && is_complete(live) && shows_state()) {
    draw_state(live, *input, *output);
  } else if (output != nullptr && (is_complete(live) || is_partial(live)) && !shows_state() && !runs_are_unknown) {
    draw_seams(live, *input, *output);
  } else {
    draw_waiting(live, *input, output);
  }
  if (picture_.width() == view.x && picture_.height() == view.y)
    glBlitNamedFramebuffer(picture_.id(), target.id(), 0, 0, view.x, view.y, 0, 0, view.x, view.y, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
  draw_marks(live, target);
}

void SeamsScene::release_targets() {
  picture_ = {};
  drawn_.reset();
}

/// Shows the last replay, or else the input, while the requested output is not available. An algorithm without a map
/// shows its result.
void SeamsScene::draw_waiting(const LiveView& live, const gl::Texture& input, const gl::Texture* output) {
  const bool plain = !seams_ && output != nullptr;
  if (!plain && !shows_state() && replay_ && replay_->input == live.input_version() && replay_->show == show_)
    return draw_replay();
  const gl::Texture& shown = plain ? *output : input;
  size_ = {shown.width(), shown.height()};
  draw_picture(shown, {0, 0}, plain ? live.output_version() : live.input_version());
}

void SeamsScene::draw_picture(const gl::Texture& texture, glm::ivec2 extent, std::uint64_t contents) {
  const glm::ivec2 size = extent.x > 0 ? extent : glm::ivec2(texture.width(), texture.height());
  const glm::ivec2 view = navigator_.view();
  // A picture that shrinks stays in its place, because the view is fitted to its largest size. That of the phases is
  // the input's, for which the grey picture, its seams and the picture after the removal have the same scale.
  const glm::ivec2 whole = shows_phases() ? input_size_ : glm::ivec2(texture.width(), texture.height());
  const glm::ivec2 largest = show_ == SeamsShow::compare ? size : glm::max(size, whole);
  navigator_.begin(settings_, view, largest);
  settings_.extent = extent;
  // Scaling a large picture down takes a renderer without a GPU most of a frame, so it is drawn only when something has
  // changed.
  const Drawn now{show_,
                  texture.id(),
                  contents,
                  {extent.x, extent.y, view.x, view.y},
                  {settings_.zoom, settings_.centre.x, settings_.centre.y, settings_.exposure, settings_.offset,
                   settings_.background.r, settings_.background.g, settings_.background.b},
                  settings_.colour_map};
  if (drawn_ == now) return;
  drawn_ = now;
  if (picture_.id() == 0 || picture_.width() != view.x || picture_.height() != view.y)
    picture_ = gl::Framebuffer(view.x, view.y);
  picture_.bind();
  image_.draw(texture, nullptr, settings_, view.x, view.y);
}

void SeamsScene::draw_state(const LiveView& live, const gl::Texture& input, const gl::Texture& state) {
  const Element element = gl::info_of(input.format()).element;
  const float white = element == Element::u8 ? 255.0f : element == Element::u16 ? 65535.0f : 1.0f;
  size_ = {state.width(), state.height()};
  if (shown_state() == SeamState::grey) {
    settings_.exposure = -std::log2(white);
    return draw_picture(state, {0, 0}, live.output_version());
  }
  if (shown_state() != SeamState::candidates) return draw_energy(live, state);
  const std::tuple wanted{live.output_version(), view_settings().phase == SeamsPhase::candidates,
                          view_settings().colours};
  if (candidates_ != wanted) {
    candidates_ = wanted;
    ++replays_;
    pass_.paint_candidates(state, white, static_cast<int>(view_settings().colours), std::get<bool>(wanted));
  }
  draw_picture(pass_.candidates(), {0, 0}, replays_);
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
  settings_.colour_map = view_settings().colours;
  draw_picture(energy, {0, 0}, live.output_version());
}

/// During an animation or a drag, replays may take a quarter of the time.
bool SeamsScene::may_replay(const LiveView& live) {
  while (const std::optional<double> ms = replay_timer_.poll_ms())
    replay_cost_ = std::max(replay_cost_, *ms);
  const bool moves = playback_.playing() || is_partial(live) || ImGui::IsAnyItemActive();
  const bool has_one = replay_ && replay_->input == live.input_version() && replay_->show == show_;
  const std::chrono::duration<double, std::milli> rested = Clock::now() - replay_end_;
  return !moves || !has_one || rested.count() >= rest_after_replay * replay_cost_;
}

void SeamsScene::draw_seams(const LiveView& live, const gl::Texture& input, const gl::Texture& map) {
  // For one frame these can belong to different pictures.
  if (input.width() != map.width() || input.height() != map.height()) return;
  // Seams that come next can be highlighted only if they have been found.
  const SeamsView view = view_settings();
  const bool enlarges = std::ranges::any_of(seams_->runs, [](const SeamRun& run) { return run.enlarges; });
  const int marked = shows_phases() ? 0 : view.highlight;
  const int highlighted = enlarges ? marked : std::min(marked, found_ - step());
  const Replay wanted{show_,
                      step(),
                      highlighted,
                      view.colours,
                      live.output_version() + live.input_version(),
                      live.input_version(),
                      settings_.background.r};
  if (replay_ == wanted) return draw_replay();
  if (!may_replay(live)) {
    needs_redraw_ = !is_partial(live);  // The worker wakes the window when it has found more.
    return draw_replay();
  }
  const auto start = Clock::now();
  (void)replay_timer_.begin();
  replay(input, map, wanted);
  draw_replay();
  replay_timer_.end();
  replay_end_ = Clock::now();
  replay_cost_ = std::chrono::duration<double, std::milli>(replay_end_ - start).count();
}

void SeamsScene::replay(const gl::Texture& input, const gl::Texture& map, const Replay& wanted) {
  replay_ = wanted;
  ++replays_;
  pass_.begin(input, map, seams_->runs, wanted.version);
  replay_size_ = render::size_after(input_size_, seams_->runs, wanted.step);
  const int colours = static_cast<int>(wanted.colours);
  switch (wanted.show) {
    case SeamsShow::when:
      return pass_.paint_when(colours, found_);
    case SeamsShow::often:
      return pass_.paint_often(colours, found_);
    case SeamsShow::compare:
      return pass_.compare(wanted.step, glm::vec3(settings_.background));
    default:
      return pass_.move(wanted.step, wanted.highlighted);
  }
}

void SeamsScene::draw_replay() {
  size_ = replay_size_;
  switch (show_) {
    case SeamsShow::when:
    case SeamsShow::often:
      return draw_picture(pass_.painted(), input_size_, replays_);
    case SeamsShow::compare:
      return draw_picture(pass_.composed(), {0, 0}, replays_);
    default:
      return draw_picture(pass_.picture(), size_, replays_);
  }
}

std::optional<ColourBar> SeamsScene::colour_bar(const LiveView& live) const {
  if (!is_complete(live) && !is_partial(live)) return {};
  const std::optional<SeamState> state = shown_state();
  const auto values = [this](const char* title) {
    return ColourBar{title, static_cast<double>(range_.x), static_cast<double>(range_.y), {}};
  };
  if (state == SeamState::energy) return values("energy");
  if (state == SeamState::cost) return values("cost of a path");
  if (state == SeamState::candidates && view_settings().phase == SeamsPhase::candidates)
    return ColourBar{"relative cost", 0.0, 1.0, {}};
  if (state || total_ == 0) return {};
  if (show_ == SeamsShow::when) return ColourBar{"seam", static_cast<double>(total_), 0.0, {}, true};
  // shaders/seams_paint.comp colours by the root of the number of seams.
  if (show_ == SeamsShow::often)
    return ColourBar{"% of the most", 0.0, 1.0, {{0, "0"}, {0.316, "10"}, {0.5, "25"}, {0.707, "50"}, {1, "100"}}};
  return {};
}

/// Draws texts, masks and edges over the picture.
void SeamsScene::draw_marks(const LiveView& live, const gl::Framebuffer& target) {
  const std::optional<ColourBar> bar =
      bar_wanted(view_settings().colour_bars, interactive_) ? colour_bar(live) : std::nullopt;
  if (bar) ramp_.draw(image_, view_settings().colours, 1.0f);
  ViewCanvas canvas(target);
  if (bar) draw_colour_bar(canvas, *bar, fill_from_texture(ramp_.texture().id()));
  const float unit = std::clamp(canvas.height() / 33.0f, 12.0f, 40.0f);
  const glm::ivec2 view = navigator_.view();
  const auto on_view = [&](glm::ivec2 place) {
    const glm::vec2 at = render::image_to_view(settings_, view, glm::vec2(place));
    return ImVec2(at.x, at.y);
  };
  const auto note = [&](std::string_view text, float line) {
    const ImVec2 middle{0.5f * canvas.width(), canvas.height() - line * unit};
    canvas.label(middle, text, unit * std::min(1.0f, 0.9f * canvas.width() / canvas.text_width(text, unit)), ink(),
                 Align::centre);
  };
  if (show_ == SeamsShow::compare && is_complete(live)) {
    constexpr std::array<std::string_view, 4> titles{"original", "carved", "scaled", "cropped"};
    for (std::size_t i = 0; i < titles.size(); ++i) {
      const int before = static_cast<int>(i) - 1;  // results to the left of this one
      const ImVec2 at = on_view({i == 0 ? 0 : input_size_.x + pass_.gap() + before * (size_.x + pass_.gap()), 0});
      canvas.label({at.x + 0.6f * unit, at.y + unit}, titles[i], unit, ink());
    }
  }
  if (is_painting()) {
    if (const gl::Texture* overlay = masks_.overlay(); overlay != nullptr && !masks_.empty())
      canvas.list().AddImage(static_cast<ImTextureID>(overlay->id()), on_view({0, 0}), on_view(input_size_));
    if (interactive_ && masks_.empty() && paintable_)
      note("Paint what has to go in red, what has to stay in green", 1.5f);
    if (mouse_) {
      const float radius = 0.5f * view_settings().brush * settings_.zoom;
      canvas.list().AddCircle({mouse_->x, mouse_->y}, radius, IM_COL32(0, 0, 0, 200), 0, 3.0f);
      canvas.list().AddCircle({mouse_->x, mouse_->y}, radius, IM_COL32(255, 255, 255, 230), 0, 1.5f);
    }
  } else if (show_ == SeamsShow::picture && resizable_) {
    const Drag* const drag = std::get_if<Drag>(&gesture_);
    if (drag != nullptr || (mouse_ && edge_at(*mouse_))) {
      const ImVec2 from = on_view({0, 0}), to = on_view(drag != nullptr ? drag->target : size_);
      canvas.list().AddRect(from, to, drag != nullptr ? accent_ink() : muted_ink(), 0, 0, 2.0f);
      if (drag != nullptr) {
        const std::string size = std::to_string(drag->target.x) + " x " + std::to_string(drag->target.y);
        canvas.label({0.5f * (from.x + to.x), 0.5f * (from.y + to.y)}, size, 1.4f * unit, ink(), Align::centre);
      }
    } else if (interactive_ && !seams_ && input_size_ == size_ && !searching_) {
      note("Drag the right or the lower edge, or choose a width or height among the parameters", 1.5f);
    }
  }
  canvas.finish();
}

std::optional<SceneResult> SeamsScene::result(const LiveView& live) {
  const gl::Texture* input = texture_of(live.input());
  const gl::Texture* map = texture_of(live.output());
  if ((!is_complete(live) && !is_partial(live)) || shows_state() || input == nullptr || map == nullptr) return {};
  (void)reads_runs_of_map(live, true);
  replay_.reset();  // The pass shows something else afterwards.
  pass_.begin(*input, *map, seams_->runs, live.output_version() + live.input_version());
  pass_.move(step(), 0);
  const gl::Texture& picture = pass_.picture();
  const Shape shape = Shape::image(picture.shape().element, colour_ ? 4 : 1, pass_.size().x, pass_.size().y);
  return SceneResult{.contents = gl::PendingRead(picture),
                     .convert = [shape](HostIn whole) { return part_of(whole, shape); }};
}

std::optional<DrawnCode> SeamsScene::drawn_code(const Work& work) const {
  if (show_ != SeamsShow::energy && show_ != SeamsShow::cost && !shows_phases()) return {};
  const SeamsPhase phase = view_settings().phase;
  std::string step(shows_phases() ? seams_phase_names[static_cast<std::size_t>(phase)]
                                  : seams_show_names[static_cast<std::size_t>(show_)]);
  const bool searches = show_ == SeamsShow::cost || phase == SeamsPhase::candidates || phase == SeamsPhase::cheapest;
  if (searches && value_text(work.params, "path") == "greedy") step = "greedy";
  return DrawnCode{work.backend, work.variant, std::move(step)};
}

std::vector<std::pair<std::string, double>> SeamsScene::figures() const {
  return {{"step", step()}, {"total", total_}, {"found", found_}, {"width", size_.x}, {"height", size_.y}};
}

}  // namespace threadscape::app
