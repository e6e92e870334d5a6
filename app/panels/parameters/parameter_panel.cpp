#include "app/panels/parameters/parameter_panel.h"

#include <algorithm>
#include <array>

#include "app/panels/parameters/ab_panel.h"
#include "app/shell/field_names.h"
#include "app/shell/field_widgets.h"
#include "app/ui/widgets.h"
#include "compute/io/file_writer.h"
#include "compute/io/text_file.h"

namespace threadscape::app {

namespace {

constexpr std::array<std::string_view, 3> backend_titles{"Serial", "OpenMP", "CUDA"};
constexpr std::array<std::string_view, 3> backend_help{
    "The readable reference: one thread, no tricks", "All cores and SIMD",
    "The GPU; writes straight into the displayed texture where it can"};

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
  const Mend chosen = *mend;  // A press changes the list.
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
  label_left("GPU",
             "The device on which CUDA runs. Results of the one that drives the display are drawn from where they are "
             "computed; those of others are copied.",
             label_width());
  if (!ImGui::BeginCombo("##gpu", title(chosen).c_str())) return;
  for (const auto& device : devices) {
    const std::string problem = device->problem();
    ImGui::BeginDisabled(!problem.empty() && device.get() != &chosen);
    if (ImGui::Selectable(title(*device).c_str(), device.get() == &chosen)) workspace.choose_device(*device);
    ImGui::EndDisabled();
    if (!problem.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(problem);
  }
  ImGui::EndCombo();
}

/// `threads` is the number of hardware threads of this machine; twice as many can be chosen.
void draw_backend(Workspace& workspace, int threads) {
  const Work& work = workspace.work();
  std::array<Segment, 3> segments;
  for (const Backend backend : backends) {
    const auto i = static_cast<std::size_t>(backend);
    const std::string absent = workspace.why_absent(backend);
    segments[i] = {backend_titles[i], absent.empty(),
                   absent.empty() ? std::string(backend_help[i]) : "Not available: " + absent, backend_colour(backend)};
  }
  const int clicked = segmented("backend", segments, static_cast<int>(work.backend));
  if (clicked >= 0) workspace.choose_backend(static_cast<Backend>(clicked));

  draw_device(workspace);
  const auto variants = workspace.algorithm().variants_of(work.backend);
  const auto current = static_cast<std::size_t>(work.variant);
  ImGui::BeginDisabled(variants.size() < 2);
  label_left("Variant",
             variants.size() < 2 ? "This backend has a single way to the result."
                                 : "Different ways to the same result on this backend; the first is the fastest.",
             label_width());
  if (ImGui::BeginCombo("##variant", variants[current].name.data())) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (ImGui::Selectable(variants[i].name.data(), i == current)) workspace.choose_variant(static_cast<int>(i));
      if (!variants[i].help.empty() && ImGui::IsItemHovered()) tooltip(variants[i].help);
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
  changed |= draw_fields(params, {files, workspace.log, desk.previews(),
                                  [&workspace](const auto& edit) { workspace.edit_parameters(edit); }, 0.0f,
                                  [&workspace](const FieldRef& field) { return idle_field(workspace, field); },
                                  [&workspace](const FieldRef& field) { draw_mend(workspace, field); }});
  if (changed) workspace.set_parameters(params);

  if (const std::string wrong = params.problem(); !wrong.empty()) {
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(warning_colour(), "%s", wrong.c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::Spacing();
  const float half = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  if (ImGui::Button("Reset", {half, 0})) workspace.reset_parameters();
  ImGui::SameLine();
  if (ImGui::Button("Load...", {half, 0}))
    files.open("Load a preset", FileBrowser::Purpose::open_preset, [&workspace](const std::filesystem::path& path) {
      workspace.edit_parameters([&path](ParamBox& params) { assign_json(params, io::load_json_text(path)); });
      workspace.log.info("loaded preset " + path.string());
      return FileBrowser::Progress::done;
    });
  ImGui::SameLine();
  if (ImGui::Button("Save...", {half, 0}))
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

  ImGui::PushTextWrapPos(0.0f);
  heading(desk.fonts().strong, workspace.algorithm().title);
  ImGui::PopTextWrapPos();
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
