#include "app/scenes/microscope/microscope_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/scenes/picture_navigator.h"
#include "app/ui/widgets.h"
#include "compute/core/errors.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 5> key_help{{
    {"X / Z", "the next instruction of the warp / the one before"},
    {"B", "go on to the next barrier"},
    {"N", "go on to the next line"},
    {"P", "play the instructions"},
    {"click a line", "go on to where the warp executes it next"},
}};

std::string extent_text(const warp::Extent& extent) {
  std::string text = std::to_string(extent.x);
  if (extent.y > 1 || extent.z > 1) text += " x " + std::to_string(extent.y);
  if (extent.z > 1) text += " x " + std::to_string(extent.z);
  return text;
}

float text_unit(const ViewCanvas& canvas) {
  return std::clamp(std::min(canvas.width() / 84.0f, canvas.height() / 40.0f), 11.0f, 34.0f);
}

constexpr std::array<const char*, 9> figure_titles{"instructions",      "active lanes",       "load sectors",
                                                   "sectors of a load", "store sectors",      "shared wavefronts",
                                                   "conflicts",         "divergent branches", "atomics"};

}  // namespace

bool MicroscopeScene::can_show(const AlgorithmInfo& algorithm) {
  return !algorithm.variants_of(Backend::cuda).empty();
}

const ObservedKernel* MicroscopeScene::kernel() const {
  const ObservedRun* const run = run_.get();
  if (run == nullptr || run->found.kernels.empty()) return nullptr;
  const std::vector<ObservedKernel>& kernels = run->found.kernels;
  const int wanted = std::clamp<int>(view_.as<MicroscopeView>().kernel, 1, static_cast<int>(kernels.size()));
  return &kernels[static_cast<std::size_t>(wanted) - 1];
}

void MicroscopeScene::follow(const LiveView& live) {
  const Work* const shown = live.shown();
  if (shown == nullptr || !can_show(*shown->algorithm)) return;
  const int variants = static_cast<int>(shown->algorithm->variants_of(Backend::cuda).size());
  const int variant = view().variant > 0                ? std::min(view().variant, variants) - 1
                      : shown->backend == Backend::cuda ? shown->variant
                                                        : 0;
  std::shared_ptr<const ObservedRun> run =
      live.observer().follow(observed_work(*shown, variant), live.displayed_source(), waits_);
  observing_ = run == nullptr;
  if (run != run_) {
    run_ = std::move(run);
    stepper_.reset();
    page_.reset();
    assembled_ = {};
    sought_ = {-1, -1};
    // The text of a sketch may differ from that of its file.
    is_sketch_ = sketch::sketch_of(*shown->algorithm) != nullptr;
    if (run_ != nullptr && is_sketch_) {
      const sketch::Sketch& sketch = run_->params.as<sketch::SketchParams>().live->sketch();
      sources_.add(sketch.file.string(), sketch.source);
    }
  }
  if (run_ == nullptr) {
    stepper_.reset();
    step_.reset();
    problem_.clear();
    return;
  }
  problem_ = run_->problem;
  place_stepper();
  seek(live);
  seek_line();
}

void MicroscopeScene::place_stepper() {
  const ObservedKernel* const now = kernel();
  if (now == nullptr) return;
  if (now->first == nullptr) {
    problem_ = "The memory of this launch is too large to be kept: choose a smaller input.";
    stepper_.reset();
    step_.reset();
    return;
  }
  const std::uint64_t blocks = now->grid.count();
  const std::uint64_t middle =
      (std::uint64_t{now->grid.z / 2} * now->grid.y + now->grid.y / 2) * now->grid.x + now->grid.x / 2;
  const std::uint64_t block =
      view().block < 0 ? middle : std::min<std::uint64_t>(static_cast<std::uint64_t>(view().block), blocks - 1);
  if (stepper_ != nullptr && &stepper_->launch() == now->first.get() && stepper_->block() == block) return;
  try {
    stepper_ = std::make_unique<warp::Stepper>(now->first, block);
    step_.reset();
  } catch (const Error& error) {
    problem_ = error.what();
    stepper_.reset();
  }
}

void MicroscopeScene::seek(const LiveView& live) {
  const glm::ivec2 pixel{view().column, view().row};
  if (pixel == sought_ || kernel() == nullptr) return;
  if (pixel.x < 0 || pixel.y < 0) {
    sought_ = pixel;
    note_.clear();
    return;
  }
  const std::shared_ptr<const ObservedThreads> threads = live.observer().threads_of(*live.shown(), waits_);
  observing_ = threads == nullptr;
  if (observing_) return;
  sought_ = pixel;
  const std::optional<ElementThread> found = threads->of(pixel.x, pixel.y);
  if (!found) {
    note_ = "No thread was found that stores this pixel.";
    return;
  }
  view().kernel = static_cast<int>(found->kernel) + 1;
  view().block = static_cast<int>(std::min<std::uint64_t>(found->writer.block, 0x7fffffff));
  view().warp = static_cast<int>(found->writer.thread / 32);
  note_ = "Pixel (" + std::to_string(pixel.x) + ", " + std::to_string(pixel.y) + "): lane " +
          std::to_string(found->writer.thread % 32);
  place_stepper();
  if (stepper_ == nullptr) return;
  const auto trace = stepper_->trace(found->writer.thread / 32);
  const auto store = std::ranges::find_if(trace, [&](const warp::Stepper::Executed& executed) {
    return executed.function == found->writer.function && executed.instruction == found->writer.operation;
  });
  if (store != trace.end()) go_to(store - trace.begin());
}

void MicroscopeScene::seek_line() {
  if (view().line <= 0 || stepper_ == nullptr) return;
  const int line = std::exchange(view().line, 0);
  const std::uint32_t warp =
      static_cast<std::uint32_t>(std::clamp(view().warp, 0, static_cast<int>(stepper_->warps()) - 1));
  const auto trace = stepper_->trace(warp);
  if (trace.empty()) return;
  const warp::Module& module = stepper_->launch().module();
  const std::string file = file_of(module, *trace.front().function);
  const auto first = std::ranges::find_if(trace, [&](const warp::Stepper::Executed& executed) {
    return executed.instruction < executed.function->instructions.size() &&
           belongs_to(module, executed.function->instructions[executed.instruction], file, line);
  });
  note_ = first != trace.end() ? "" : "This warp does not execute line " + std::to_string(line) + ".";
  if (first != trace.end()) go_to(first - trace.begin());
}

void MicroscopeScene::go_to(std::int64_t step) {
  if (stepper_ == nullptr) return;
  MicroscopeView& now = view();
  now.warp = std::clamp(now.warp, 0, static_cast<int>(stepper_->warps()) - 1);
  const auto last = static_cast<std::int64_t>(stepper_->trace(static_cast<std::uint32_t>(now.warp)).size()) - 1;
  if (last < 0) return step_.reset();
  now.step = static_cast<int>(std::clamp<std::int64_t>(step, 0, last));
  step_ = stepper_->look(static_cast<std::uint32_t>(now.warp), static_cast<std::uint64_t>(now.step));
  place_ = place_of(*step_);
}

warp::Location MicroscopeScene::place_of(const warp::WarpStep& step) const {
  // Compilers give some instructions no line: they belong to the call that was inlined, or to what came before.
  const warp::Module& module = stepper_->launch().module();
  const auto known = [&](warp::Location at) {
    while (at.line == 0 && at.inlined_at != 0)
      at = module.locations[static_cast<std::size_t>(at.inlined_at)];
    return at;
  };
  warp::Location at = known(step.place);
  for (std::uint32_t i = step.instruction; at.line == 0 && i > 0; --i)
    if (i - 1 < step.function->instructions.size())
      at = known(module.locations[step.function->instructions[i - 1].location]);
  return at;
}

void MicroscopeScene::go_to_next(const std::function<bool(const warp::Stepper::Executed&)>& wanted) {
  if (stepper_ == nullptr || !step_) return;
  const auto trace = stepper_->trace(static_cast<std::uint32_t>(view().warp));
  for (std::size_t i = 1; i <= trace.size(); ++i) {
    const std::size_t at = (static_cast<std::size_t>(view().step) + i) % trace.size();
    if (!wanted(trace[at])) continue;
    go_to(static_cast<std::int64_t>(at));
    return;
  }
}

void MicroscopeScene::play(bool on) {
  if (on)
    playback_.play(ImGui::GetTime());
  else
    playback_.stop();
}

void MicroscopeScene::advance() {
  const auto due = static_cast<std::int64_t>(playback_.take_due(ImGui::GetTime(), view().pace));
  if (due == 0 || stepper_ == nullptr) return;
  const int before = view().step;
  go_to(view().step + due);
  if (view().step == before) playback_.stop();
}

void MicroscopeScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  follow(live);
  advance();
  if (stepper_ != nullptr && (!step_ || step_->number != static_cast<std::uint64_t>(view().step))) go_to(view().step);
  const ImVec4 background = canvas_colour();
  target.bind();
  target.clear({background.x, background.y, background.z, 1.0f});
  ViewCanvas canvas(target);
  const float unit = text_unit(canvas), room = canvas.width() - 2 * unit;
  listing_.hide();
  page_.hide();
  const ObservedKernel* const now = kernel();
  if (now == nullptr || stepper_ == nullptr || !step_) {
    const std::string words = !problem_.empty() ? problem_ : observing_ ? "The kernels are being executed." : "";
    if (!words.empty())
      canvas.label_lines({unit, 1.5f * unit}, words, unit, problem_.empty() ? muted_ink() : warning_ink(), Align::left,
                         room);
    return canvas.finish();
  }
  canvas.text({unit, 1.1f * unit},
              short_kernel_name(now->name) + "   grid " + extent_text(now->grid) + ", block " +
                  extent_text(now->block) +
                  (now->launches > 1 ? ", " + std::to_string(now->launches) + " launches" : ""),
              unit * 1.05f, ink(), Align::left, room);
  const warp::Counts& total = now->study.launch.total;
  const auto per_request = [](std::uint64_t sectors, std::uint64_t requests) {
    return requests == 0 ? std::string("none")
                         : format_value(static_cast<double>(sectors) / static_cast<double>(requests));
  };
  const std::array<std::string, 4> phrases{
      format_grouped(static_cast<std::int64_t>(total.warp_instructions)) + " warp instructions (modelled)",
      "sectors of a load " + per_request(total.global_load_sectors, total.global_load_requests) + ", of a store " +
          per_request(total.global_store_sectors, total.global_store_requests) + " (counted)",
      "conflicts " +
          format_grouped(static_cast<std::int64_t>(total.shared_load_conflicts + total.shared_store_conflicts)) +
          " (counted)",
      "L1 hits " + format_percent(now->study.l1_hit_rate() / 100) + " (modelled)"};
  // A line takes as many phrases as fit, so that narrow scenes keep a size that can be read.
  float line = 2.5f * unit;
  for (std::size_t i = 0; i < phrases.size();) {
    std::string words = phrases[i++];
    while (i < phrases.size() && ViewCanvas::text_width(words + "   " + phrases[i], unit * 0.95f) <= room)
      words += "   " + phrases[i++];
    canvas.text({unit, line}, words, unit * 0.95f, accent_ink(), Align::left, room);
    line += 1.2f * unit;
  }
  const float top = line, bottom = canvas.height() - 0.6f * unit;
  if (show_ == MicroscopeShow::code) {
    draw_code(canvas, {{unit, top}, {canvas.width() - unit, bottom}}, unit);
    return canvas.finish();
  }
  list_rows();
  const float split = canvas.width() < 48 * unit ? canvas.width() * 0.5f : canvas.width() * 0.55f;
  listing_.draw(canvas, {{unit, top}, {split - 0.5f * unit, bottom}}, unit, view().figure);
  draw_step(canvas, {{split + 0.5f * unit, top}, {canvas.width() - unit, bottom}}, unit);
  canvas.finish();
}

void MicroscopeScene::toolbar(const Workspace& workspace) {
  const std::array<Segment, 3> segments{{{"Source", true, "Lines of the source, and a warp"},
                                         {"PTX", true, "Instructions in PTX, and a warp"},
                                         {"Code", true, "Source, PTX and machine code beside each other"}}};
  if (const int clicked = segmented("show", segments, static_cast<int>(show_), em(11)); clicked >= 0)
    show_ = static_cast<MicroscopeShow>(clicked);
  MicroscopeView& now = view();
  const auto combo = [](const char* id, const char* help, float width, int chosen, int count, const auto& name) {
    int clicked = -1;
    flow(em(width));
    ImGui::SetNextItemWidth(em(width));
    if (ImGui::BeginCombo(id, name(chosen).c_str())) {
      for (int i = 0; i < count; ++i)
        if (ImGui::Selectable((name(i) + "##" + std::to_string(i)).c_str(), i == chosen)) clicked = i;
      ImGui::EndCombo();
    } else if (ImGui::IsItemHovered()) {
      tooltip(help);
    }
    return clicked;
  };
  const auto variants = workspace.algorithm().variants_of(Backend::cuda);
  const auto variant_name = [&](int i) {
    return i == 0 ? std::string("as it runs") : std::string(variants[static_cast<std::size_t>(i) - 1].name);
  };
  const int variant_count = static_cast<int>(variants.size());
  // A choice of one would take a line of narrow windows.
  if (variant_count < 2)
    now.variant = 0;
  else if (const int clicked = combo("##variant", "The CUDA variant that is looked at", 8,
                                     std::min(now.variant, variant_count), variant_count + 1, variant_name);
           clicked >= 0)
    now.variant = clicked;
  if (const ObservedRun* const run = run_.get(); run != nullptr && run->found.kernels.size() > 1) {
    const int count = static_cast<int>(run->found.kernels.size());
    const auto name = [&](int i) { return short_kernel_name(run->found.kernels[static_cast<std::size_t>(i)].name); };
    if (const int clicked = combo("##kernel", "The kernel, of those that the variant launches", 11,
                                  std::clamp(now.kernel, 1, count) - 1, count, name);
        clicked >= 0) {
      now.kernel = clicked + 1;
      now.step = 0;
    }
  }
  if (const int clicked = combo("##figure", "The count that lines are coloured by", 9, static_cast<int>(now.figure),
                                static_cast<int>(figure_titles.size()),
                                [](int i) { return std::string(figure_titles[static_cast<std::size_t>(i)]); });
      clicked >= 0)
    now.figure = static_cast<LineFigure>(clicked);
  const auto button = [](const char* label, const char* help) {
    flow(em(2));
    const bool pressed = ImGui::Button(label);
    if (ImGui::IsItemHovered()) tooltip(help);
    return pressed;
  };
  ImGui::BeginDisabled(stepper_ == nullptr);
  if (button("<", "The instruction before (Z)")) go_to(now.step - 1);
  if (button(">", "The next instruction (X)")) go_to(now.step + 1);
  if (button(playback_.playing() ? "Pause###play" : "Play###play", "Play the instructions (P)"))
    play(!playback_.playing());
  if (const ObservedKernel* const shown = kernel(); shown != nullptr && stepper_ != nullptr) {
    const auto number = [](const char* id, const char* format, float width, int value, int step, int most) {
      flow(em(width));
      ImGui::SetNextItemWidth(em(width));
      if (!ImGui::InputScalar(id, ImGuiDataType_S32, &value, &step, nullptr, format)) return -1;
      return std::clamp(value, 0, most);
    };
    const auto last = static_cast<int>(std::min<std::uint64_t>(shown->grid.count() - 1, 0x7fffffff));
    if (const int block = number("##block", "block %d", 9, static_cast<int>(stepper_->block()), 1, last); block >= 0) {
      now.block = block;
      now.step = 0;
    }
    if (ImGui::IsItemHovered())
      tooltip("Number of the block in the grid; at (" + block_place(stepper_->block(), shown->grid) + ")");
    if (const int warp = number("##warp", "warp %d", 8, now.warp, 1, static_cast<int>(stepper_->warps()) - 1);
        warp >= 0) {
      now.warp = warp;
      step_.reset();
    }
    if (ImGui::IsItemHovered()) tooltip("Warp of the block");
  }
  ImGui::EndDisabled();
}

void MicroscopeScene::interact(const LiveView&, ImVec2 origin, ImVec2, bool hovered) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale, mouse = ImGui::GetMousePos();
  const ImVec2 at{(mouse.x - origin.x) * scale.x, (mouse.y - origin.y) * scale.y};
  page_.hover(hovered ? std::optional(at) : std::nullopt);
  if (const float wheel = ImGui::GetIO().MouseWheel; hovered && wheel != 0.0f)
    page_.scroll(at, static_cast<int>(std::lround(-3.0f * wheel)));
  if (hovered && step_ && stepper_ != nullptr && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) click(at);
  if (!keys_are_free() || stepper_ == nullptr) return;
  if (ImGui::IsKeyPressed(ImGuiKey_X)) go_to(view().step + 1);
  if (ImGui::IsKeyPressed(ImGuiKey_Z)) go_to(view().step - 1);
  if (ImGui::IsKeyPressed(ImGuiKey_P, false)) play(!playback_.playing());
  const warp::Module& module = stepper_->launch().module();
  if (ImGui::IsKeyPressed(ImGuiKey_B, false))
    go_to_next([&](const warp::Stepper::Executed& executed) {
      if (executed.instruction >= executed.function->instructions.size()) return false;
      const std::string& name = module.names[executed.function->instructions[executed.instruction].name];
      return name.starts_with("bar.") || name.starts_with("barrier.");
    });
  if (ImGui::IsKeyPressed(ImGuiKey_N, false) && step_)
    go_to_next([&, place = place_](const warp::Stepper::Executed& executed) {
      if (executed.instruction >= executed.function->instructions.size()) return false;
      const warp::Location& at = module.locations[executed.function->instructions[executed.instruction].location];
      return at.line != 0 && (at.line != place.line || at.file != place.file);
    });
}

std::span<const KeyHelp> MicroscopeScene::help() const {
  return key_help;
}

void MicroscopeScene::panel(const Workspace&, const LiveView&, const Fonts& fonts) {
  heading(fonts.strong, "Microscope");
  const ObservedKernel* const now = kernel();
  if (now == nullptr || !step_ || stepper_ == nullptr) return;
  const auto line = [](const std::string& text) { ImGui::TextUnformatted(text.c_str()); };
  ImGui::TextDisabled("%s", elided(now->name, ImGui::GetContentRegionAvail().x).c_str());
  if (ImGui::IsItemHovered()) tooltip(now->name);
  line("Block " + std::to_string(stepper_->block()) + " (" + block_place(stepper_->block(), now->grid) + "), warp " +
       std::to_string(view().warp));
  line("Instruction " + std::to_string(step_->number + 1) + " of " +
       std::to_string(stepper_->trace(static_cast<std::uint32_t>(view().warp)).size()));
  line(std::to_string(std::popcount(step_->executes)) + " of " + std::to_string(std::popcount(step_->present)) +
       " lanes execute it");
  if (!note_.empty()) line(note_);
  if (!stepper_->stopped().empty()) disabled_sentence(stepper_->stopped().c_str());
  if (const ObservedRun* const run = run_.get(); run != nullptr && !run->input.empty())
    disabled_sentence(("Input: " + run->input).c_str());
  if (const auto& faults = now->study.launch.faults; !faults.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, warning_colour());
    ImGui::TextWrapped("%s", faults.front().text.c_str());
    ImGui::PopStyleColor();
  }
}

std::vector<std::pair<std::string, double>> MicroscopeScene::figures() const {
  const ObservedRun* const run = run_.get();
  if (run == nullptr || !step_ || stepper_ == nullptr) return {};
  const auto warp = static_cast<std::uint32_t>(view_.as<MicroscopeView>().warp);
  std::vector<std::pair<std::string, double>> figures{
      {"kernels", static_cast<double>(run->found.kernels.size())},
      {"instructions", static_cast<double>(stepper_->trace(warp).size())},
      {"line", place_.line},
      {"lanes", std::popcount(step_->executes)}};
  if (page_.shown() == 0) return figures;
  figures.emplace_back("columns", page_.shown());
  for (const auto& [name, column] : {std::pair{"marked source", CodePage::Column::source},
                                     {"marked ptx", CodePage::Column::ptx},
                                     {"marked sass", CodePage::Column::machine}})
    figures.emplace_back(name, static_cast<double>(page_.marked(column)));
  return figures;
}

}  // namespace threadscape::app
