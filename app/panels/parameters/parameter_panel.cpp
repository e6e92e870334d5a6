#include "app/panels/parameters/parameter_panel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <vector>

#include "app/panels/parameters/ab_panel.h"
#include "app/session/timing_figures.h"
#include "app/shell/advanced_fields.h"
#include "app/shell/field_names.h"
#include "app/shell/field_widgets.h"
#include "app/ui/icons.h"
#include "app/ui/value_names.h"
#include "app/ui/widgets.h"
#include "compute/io/file_writer.h"
#include "compute/io/text_file.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

std::string absence_text(const Workspace& workspace, Backend backend) {
  std::string text = workspace.why_absent(backend);
  if (text.empty()) return text;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  // A device that was there and failed needs no installation.
  if (workspace.device().available()) text += "; \"Use it again\" in the panel Device opens it anew";
  return text + ".";
}

namespace {

/// A backend's title on its card, and what it is.
struct CardWords {
  std::string_view title, help;
};
constexpr std::array<CardWords, 3> backend_words{
    {{"Serial", "The readable reference: one thread, no tricks"},
     {"OpenMP", "All cores and SIMD"},
     {"CUDA", "The GPU; writes straight into the displayed texture where it can"}}};

/// Kernels of sketches run on the machine of warps, or on a GPU in a process of their own, and never as OpenMP's code.
CardWords words_of(const Workspace& workspace, Backend backend) {
  const AlgorithmInfo& algorithm = workspace.algorithm();
  if (backend == Backend::cuda || !sketch::has_sketched_kernels(algorithm))
    return backend_words[static_cast<std::size_t>(backend)];
  if (backend == Backend::serial) return {"1 thread", "The machine of warps executes the kernels on one thread"};
  const bool has_driver = algorithm.variants_of(backend).size() > 1;
  if (has_driver && (workspace.work().backend != backend || workspace.work().variant == 0))
    return {"Fastest", "The kernels on the first GPU, or where there is none on all cores by the machine of warps"};
  return {"All cores", "The machine of warps executes the kernels, blocks side by side"};
}

/// Returns whether a parameter of the chosen algorithm has no effect now, and why.
std::optional<IdleField> idle_field(const Workspace& workspace, const FieldRef& field) {
  const AlgorithmInfo& algorithm = workspace.algorithm();
  const ParamBox& params = workspace.work().params;
  const auto source = workspace.source();
  const bool file = algorithm.own_input && source && !source->path.empty();
  const EffectRule* rule = rule_against(algorithm, params, field.name, file);
  if (rule == nullptr) return {};
  const std::string why = reason_of(*rule, params);
  try {
    return IdleField{why, derived_value(algorithm, params, field.name, workspace.input_shape()).value_or("")};
  } catch (const Error&) {  // The parameters contradict each other, so nothing follows from them.
    return IdleField{why, {}};
  }
}

/// Draws the reason why the work cannot run below the first field that would cure it, and below each of them buttons
/// with the values that do.
void draw_mend(Workspace& workspace, const FieldRef& field) {
  const auto mend = std::ranges::find(workspace.mends(), field.name, &Mend::field);
  if (mend == workspace.mends().end()) return;
  if (mend == workspace.mends().begin()) {
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(warning_colour(), "%s", workspace.problem().c_str());
    ImGui::PopTextWrapPos();
  }
  Mend chosen = *mend;  // A press changes the list.
  if (!chosen.nearest.empty()) {
    if (ImGui::Button(chosen.nearest.c_str())) workspace.set_parameter(chosen.field, chosen.nearest);
    if (ImGui::IsItemHovered()) tooltip("The nearest value with which it runs");
    ImGui::SameLine();
  }
  if (ImGui::Button("Reset")) workspace.set_parameter(chosen.field, chosen.standard);
  if (ImGui::IsItemHovered()) tooltip("Back to " + chosen.standard);
}

/// The choice of the device of CUDA, if there are several.
void draw_device(Workspace& workspace) {
  const auto& devices = workspace.devices().all();
  if (devices.size() < 2) return;
  const auto title = [](const gpu::Device& device) {
    return std::to_string(device.info().ordinal) + ": " + device.info().name;
  };
  gpu::Device& chosen = workspace.device();
  const std::size_t divided = workspace.work().devices.size();
  label_left("GPU",
             "The device on which CUDA runs. Results of the one that drives the display are drawn from where they are "
             "computed; those of others are copied. Several divide what can be divided, from host memory and back.",
             label_width());
  const std::string all = "all " + std::to_string(devices.size()) + " GPUs";
  const std::string shown = divided == devices.size() ? all
                            : divided > 0             ? std::to_string(divided) + " GPUs"
                                                      : title(chosen);
  if (!ImGui::BeginCombo("##gpu", shown.c_str())) return;
  for (const auto& device : devices) {
    const std::string problem = device->problem();
    ImGui::BeginDisabled(!problem.empty() && device.get() != &chosen);
    if (ImGui::Selectable(title(*device).c_str(), divided == 0 && device.get() == &chosen))
      workspace.choose_device(*device);
    ImGui::EndDisabled();
    if (!problem.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(problem);
  }
  ImGui::BeginDisabled(!std::ranges::all_of(devices, [](const auto& device) { return device->problem().empty(); }));
  if (ImGui::Selectable(all.c_str(), divided == devices.size())) {
    std::vector<gpu::Device*> in_order{&chosen};  // It runs what cannot be divided.
    for (const auto& device : devices)
      if (device.get() != &chosen) in_order.push_back(device.get());
    workspace.choose_devices(std::move(in_order));
  }
  ImGui::EndDisabled();
  ImGui::EndCombo();
}

/// The width of the coloured edge of a card.
float card_bar() {
  return std::max(2.0f, std::floor(em(0.18f)));
}

/// The figures of a backend: its time, how much its times differ, and how many times as fast as serial it is.
std::vector<std::string> card_texts(const Workspace& workspace, Backend backend) {
  const TimingHistory& history = workspace.timings.statistics(backend);
  if (history.size() == 0) return {"not run"};
  const Summary own = history.summary();
  std::vector<std::string> texts{format_ms(shown_ms(workspace.timings, backend))};
  if (own.count > 1 && own.median > 0) texts.push_back("\u00b1 " + format_percent(own.spread / own.median));
  const double factor = factor_to_serial(workspace.timings, backend);
  if (backend != Backend::serial && factor > 0) texts.push_back(format_value(factor) + "x");
  return texts;
}

/// Draws a backend as a card, or as a line where the panel is narrow. Returns whether it was clicked.
bool draw_card(const Workspace& workspace, Backend backend, ImVec2 size, bool as_line) {
  const CardWords words = words_of(workspace, backend);
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  ImGui::PushID(static_cast<int>(backend));
  const bool clicked = ImGui::InvisibleButton("card", size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding, bar = card_bar();
  const ImU32 colour = ImGui::GetColorU32(backend_colour(backend));
  list.AddRectFilled(low, high, ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                     rounding);
  if (as_line)
    list.AddRectFilled(low, {low.x + bar, high.y}, colour, rounding, ImDrawFlags_RoundCornersLeft);
  else
    list.AddRectFilled(low, {high.x, low.y + bar}, colour, rounding, ImDrawFlags_RoundCornersTop);
  if (workspace.work().backend == backend) list.AddRect(low, high, colour, rounding, 0, bar * 0.6f);
  const float line = ImGui::GetTextLineHeight(), padding = em(0.25f);
  ImVec2 at{low.x + (as_line ? bar + padding : padding),
            low.y + (as_line ? (size.y - line) / 2 : bar + 0.6f * padding)};
  const auto write = [&](std::string_view text, ImGuiCol ink) {
    const std::string shown = elided(text, std::max(high.x - padding - at.x, 0.0f));
    list.AddText({std::floor(at.x), std::floor(at.y)}, ImGui::GetColorU32(ink), shown.c_str());
  };
  const std::string title(words.title);
  write(title, ImGuiCol_Text);
  if (as_line) at.x = std::max(low.x + 0.36f * size.x, at.x + ImGui::CalcTextSize(title.c_str()).x + em(0.6f));
  ImGuiCol ink = ImGuiCol_Text;
  for (const std::string& text : card_texts(workspace, backend)) {
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    if (!as_line) at.y += line;
    if (as_line && at.x + width > high.x - padding) break;
    write(text, ink);
    if (as_line) at.x += width + em(0.8f);
    ink = ImGuiCol_TextDisabled;
  }
  if (ImGui::IsItemHovered())
    tooltip(std::string(words.help) +
            "\n\nThe median of its times, their median absolute deviation, and the factor to serial; M measures all");
  ImGui::PopID();
  return clicked;
}

/// Draws a backend that cannot run: why, and what would help, in a card as wide as the panel.
void draw_absent_card(const Workspace& workspace, Backend backend) {
  const std::string text = absence_text(workspace, backend);
  const std::string title(words_of(workspace, backend).title);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, bar = card_bar(), padding = em(0.25f);
  const float width = std::max(room - bar - 2 * padding, em(1)), line = ImGui::GetTextLineHeight();
  const ImVec2 size{room, line + ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y + 2 * padding};
  ImGui::PushID(static_cast<int>(backend));
  ImGui::BeginDisabled();
  ImGui::InvisibleButton("card", size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
  list.AddRectFilled(low, {low.x + bar, low.y + size.y}, ImGui::GetColorU32(backend_colour(backend)), rounding,
                     ImDrawFlags_RoundCornersLeft);
  const ImVec2 at{std::floor(low.x + bar + padding), std::floor(low.y + padding)};
  list.AddText(at, ImGui::GetColorU32(ImGuiCol_Text), title.c_str());
  ImGui::EndDisabled();
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x, at.y + line}, ImGui::GetColorU32(ImGuiCol_TextDisabled),
               text.c_str(), nullptr, width);
  ImGui::PopID();
}

/// `threads` is the number of hardware threads of this machine; twice as many can be chosen.
void draw_backend(Workspace& workspace, int threads) {
  const Work& work = workspace.work();
  const float gap = std::floor(em(0.4f)), room = ImGui::GetContentRegionAvail().x;
  const auto is_absent = [&](Backend backend) { return !workspace.why_absent(backend).empty(); };
  const auto present = static_cast<float>(std::ranges::count_if(backends, std::not_fn(is_absent)));
  const float part = std::floor((room - (present - 1) * gap) / present);
  const bool as_lines = part < em(4.2f);  // A card has room for "OpenMP" and for a time.
  const ImVec2 size = as_lines ? ImVec2{room, ImGui::GetFrameHeight()}
                               : ImVec2{part, std::floor(4 * ImGui::GetTextLineHeight() + em(0.7f))};
  for (const Backend backend : backends) {
    if (is_absent(backend)) continue;
    if (backend != Backend::serial && !as_lines) ImGui::SameLine(0, gap);
    if (draw_card(workspace, backend, size, as_lines)) workspace.choose_backend(backend);
  }
  for (const Backend backend : backends)
    if (is_absent(backend)) draw_absent_card(workspace, backend);

  draw_device(workspace);
  const auto variants = workspace.algorithm().variants_of(work.backend);
  const auto current = static_cast<std::size_t>(work.variant);
  ImGui::BeginDisabled(variants.size() < 2);
  label_left("Variant",
             variants.size() < 2 ? "This backend has a single way to the result."
                                 : "Different ways to the same result on this backend; the first is the fastest.",
             label_width());
  if (begin_list("##variant", value_title(variants[current].name), ImGui::CalcItemWidth())) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const bool clicked = ImGui::Selectable(value_title(variants[i].name).c_str(), i == current);
      if (ImGui::IsItemHovered())
        tooltip((variants[i].help.empty() ? "" : std::string(variants[i].help) + "\n\n") + "In scripts: --variant " +
                std::string(variants[i].name));
      if (clicked) workspace.choose_variant(static_cast<int>(i));
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();

  ImGui::BeginDisabled(work.backend != Backend::openmp);
  label_left("Threads",
             work.backend == Backend::openmp ? "OpenMP threads; the result does not depend on it."
                                             : "Without effect: only the backend OpenMP has threads.",
             label_width());
  int chosen_threads = work.threads;
  if (slider_int("##threads", &chosen_threads, 1, std::max(2, 2 * threads), "%d", ImGuiSliderFlags_AlwaysClamp))
    workspace.choose_threads(chosen_threads);
  ImGui::EndDisabled();

  // Only algorithms that generate their own input, with random numbers, have a seed.
  const AlgorithmInfo& algorithm = workspace.algorithm();
  if (algorithm.input != Kind::none && !algorithm.own_input) return;
  label_left("Seed", "Another seed, other random numbers; for one seed they are the same on every backend.",
             label_width());
  constexpr std::uint64_t one = 1, ten = 10;
  std::uint64_t seed = work.seed;
  if (ImGui::InputScalar("##seed", ImGuiDataType_U64, &seed, &one, &ten)) workspace.choose_seed(seed);
}

void draw_parameters(Desk& desk) {
  Workspace& workspace = desk.workspace();
  FileBrowser& files = desk.files();
  ParamBox params = workspace.work().params;
  bool changed = false;
  if (workspace.algorithm().preview) {
    changed = desk.previews().draw(workspace.algorithm(), params, workspace.log);
    ImGui::Spacing();
  }
  const AdvancedFields advanced(workspace.algorithm().name, workspace.algorithm().defaults(),
                                [&workspace](const FieldRef& field) {
                                  const auto& mends = workspace.mends();
                                  return std::ranges::find(mends, field.name, &Mend::field) != mends.end();
                                });
  changed |= draw_fields(params, {files, workspace.log, desk.previews(),
                                  [&workspace](const auto& edit) { workspace.edit_parameters(edit); }, 0.0f,
                                  [&workspace](const FieldRef& field) { return idle_field(workspace, field); },
                                  [&workspace](const FieldRef& field) { draw_mend(workspace, field); }, &advanced});
  if (changed) workspace.set_parameters(params);

  if (const std::string wrong = params.problem(); !wrong.empty()) {
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(warning_colour(), "%s", wrong.c_str());
    ImGui::PopTextWrapPos();
  }
}

/// Draws the title of the algorithm with the buttons that reset, load and save its parameters.
void draw_head(Desk& desk) {
  Workspace& workspace = desk.workspace();
  FileBrowser& files = desk.files();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.5f, buttons = 3 * icon_button_width() + 2 * gap;
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  ImGui::AlignTextToFramePadding();
  ImGui::PushFont(desk.fonts().strong, 0.0f);
  const std::string title = elided(workspace.algorithm().title, room - buttons - em(0.4f));
  ImGui::TextUnformatted(title.c_str());
  ImGui::PopFont();
  if (title != workspace.algorithm().title && ImGui::IsItemHovered()) tooltip(workspace.algorithm().title);
  ImGui::SameLine(left + room - buttons, 0);
  if (icon_button(Icon::reset, "reset the parameters", "Reset the parameters (Ctrl+R)")) workspace.reset_parameters();
  ImGui::SameLine(0, gap);
  if (icon_button(Icon::open, "load a preset", "Load parameters from a preset"))
    files.open("Load a preset", FileBrowser::Purpose::open_preset, [&workspace](const std::filesystem::path& path) {
      workspace.edit_parameters([&path](ParamBox& params) { assign_json(params, io::load_json_text(path)); });
      workspace.log.detail("loaded preset " + path.string());
      return FileBrowser::Progress::done;
    });
  ImGui::SameLine(0, gap);
  if (icon_button(Icon::save, "save a preset", "Save the parameters as a preset"))
    files.open(
        "Save the preset", FileBrowser::Purpose::save_preset, [&desk, &workspace](const std::filesystem::path& path) {
          io::save_bytes(path, to_json(workspace.work().params));
          desk.save_thumbnail(path);
          workspace.log.info("saved preset " + path.string(), {{Offer::Action::copy_text, "Copy path", path.string()}});
          return FileBrowser::Progress::done;
        });
}

}  // namespace

void ParameterPanel::draw(Desk& desk) {
  Workspace& workspace = desk.workspace();
  if (workspace.slot.filled()) draw_ab(desk);
  heading(desk.fonts().strong, "Backend");
  draw_backend(workspace, desk.facts().hardware_threads);
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();

  draw_head(desk);
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text());
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(workspace.algorithm().summary.data());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::Spacing();
  volume_.draw(desk);
  draw_parameters(desk);
}

}  // namespace threadscape::app
