#include "app/ui/parameter_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/file_browser.h"
#include "app/ui/widgets.h"
#include "compute/io/text_file.h"

namespace threadscape::app {

namespace {

constexpr std::array<std::string_view, 3> backend_titles{"Serial", "OpenMP", "CUDA"};
constexpr std::array<std::string_view, 3> backend_help{
    "The readable reference: one thread, no tricks", "All cores and SIMD",
    "The GPU; writes straight into the displayed texture where it can"};

float label_width() {
  return em(5.8f);
}

/// The allowed value (lo, lo + step, ... up to hi) next to `wanted`, seen from `current`: a small move in either
/// direction reaches the next one.
int on_grid(int wanted, int current, const IntValue& range) {
  wanted = std::clamp(wanted, range.lo, range.hi);
  const int up = wanted > current ? range.step - 1 : 0;
  return std::min(range.lo + (wanted - range.lo + up) / range.step * range.step, range.hi);
}

bool draw_value(const FieldRef&, const IntValue& v) {
  int value = *v.value;
  const bool few = (v.hi - v.lo) / v.step <= 16;
  const bool touched = few ? ImGui::SliderInt("##value", &value, v.lo, v.hi, "%d", ImGuiSliderFlags_AlwaysClamp)
                           : ImGui::DragInt("##value", &value, static_cast<float>(v.step) * 0.25f, v.lo, v.hi, "%d",
                                            ImGuiSliderFlags_AlwaysClamp);
  value = on_grid(value, *v.value, v);
  const bool changed = touched && value != *v.value;
  if (changed) *v.value = value;
  return changed;
}

bool draw_value(const FieldRef& field, const FloatValue& v) {
  float value = *v.value;
  const bool bounded = v.hi - v.lo <= 1000.0f;
  const std::string format = "%.4g" + (field.unit.empty() ? std::string{} : " " + std::string(field.unit));
  const bool touched =
      bounded ? ImGui::SliderFloat("##value", &value, v.lo, v.hi, format.c_str(), ImGuiSliderFlags_AlwaysClamp)
              : ImGui::DragFloat("##value", &value, std::max(0.02f, std::abs(value) * 0.005f), v.lo, v.hi,
                                 format.c_str(), ImGuiSliderFlags_AlwaysClamp);
  if (!touched || !std::isfinite(value) || value == *v.value) return false;
  *v.value = value;
  return true;
}

bool draw_value(const FieldRef&, const BoolValue& v) {
  return ImGui::Checkbox("##value", v.value);
}

bool draw_value(const FieldRef&, const ChoiceValue& v) {
  const int chosen = v.get();
  bool changed = false;
  if (ImGui::BeginCombo("##value", v.choices[static_cast<std::size_t>(chosen)].data())) {
    for (int i = 0; i < static_cast<int>(v.choices.size()); ++i) {
      if (!ImGui::Selectable(v.choices[static_cast<std::size_t>(i)].data(), i == chosen) || i == chosen) continue;
      v.set(i);
      changed = true;
    }
    ImGui::EndCombo();
  }
  return changed;
}

/// A k x k table of numbers; the background shows sign and weight of each.
bool draw_value(const FieldRef&, const GridValue& v) {
  const int side = *v.side;
  if (static_cast<int>(v.values->size()) != side * side) {
    ImGui::TextColored(warning_colour(), "%zu values for %d x %d", v.values->size(), side, side);
    return false;
  }
  float largest = 1e-6f;
  for (const float value : *v.values)
    largest = std::max(largest, std::abs(value));

  const float gap = std::max(1.0f, std::floor(em(0.13f)));
  const float cell =
      std::floor((ImGui::GetContentRegionAvail().x - gap * static_cast<float>(side - 1)) / static_cast<float>(side));
  bool changed = false;
  // Nine columns only fit when the numbers are drawn small and tight.
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * std::clamp(cell / em(2.6f), 0.68f, 1.0f));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::min(em(0.3f), cell * 0.08f), em(0.25f)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      float& value = (*v.values)[static_cast<std::size_t>(y * side + x)];
      const float weight = std::sqrt(std::abs(value) / largest) * 0.55f;
      const ImVec4 tint = backend_colour(value < 0 ? Backend::serial : Backend::openmp);
      if (x > 0) ImGui::SameLine();
      ImGui::PushID(y * side + x);
      ImGui::PushStyleColor(ImGuiCol_FrameBg, value == 0 ? ImGui::GetStyle().Colors[ImGuiCol_FrameBg]
                                                         : ImVec4{tint.x, tint.y, tint.z, weight});
      ImGui::SetNextItemWidth(cell);
      float edited = value;
      if (ImGui::DragFloat("##tap", &edited, 0.05f, v.lo, v.hi, "%.4g") && std::isfinite(edited)) {
        value = std::clamp(edited, v.lo, v.hi);
        changed = true;
      }
      ImGui::PopStyleColor();
      ImGui::PopID();
    }
  }
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  ImGui::Spacing();
  return changed;
}

}  // namespace

void ParameterPanel::draw(Workspace& workspace, const Fonts& fonts, FileBrowser& files, int threads) {
  heading(fonts.strong, "Backend");
  draw_backend(workspace, threads);
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();

  heading(fonts.strong, workspace.algorithm().title);
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text());
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(workspace.algorithm().summary.data());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::Spacing();
  draw_fields(workspace, files);
}

void ParameterPanel::draw_backend(Workspace& workspace, int threads) {
  Work& work = workspace.work();
  std::array<Segment, 3> segments;
  for (const Backend backend : backends) {
    const auto i = static_cast<std::size_t>(backend);
    const std::string absent = workspace.why_absent(backend);
    segments[i] = {backend_titles[i], absent.empty(),
                   absent.empty() ? std::string(backend_help[i]) : "Not available: " + absent, backend_colour(backend)};
  }
  const int clicked = segmented("backend", segments, static_cast<int>(work.backend));
  if (clicked >= 0) workspace.choose_backend(static_cast<Backend>(clicked));

  const auto variants = workspace.algorithm().variants_of(work.backend);
  const auto current = static_cast<std::size_t>(work.variant);
  ImGui::BeginDisabled(variants.size() < 2);
  label_left("variant", "Different ways to the same result on this backend; the first is the fastest.", label_width());
  if (ImGui::BeginCombo("##variant", variants[current].name.data())) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (ImGui::Selectable(variants[i].name.data(), i == current)) workspace.choose_variant(static_cast<int>(i));
      if (!variants[i].help.empty() && ImGui::IsItemHovered()) tooltip(variants[i].help);
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();

  ImGui::BeginDisabled(work.backend != Backend::openmp);
  label_left("threads", "OpenMP threads; the result does not depend on it.", label_width());
  ImGui::SliderInt("##threads", &work.threads, 1, std::max(2, 2 * threads), "%d", ImGuiSliderFlags_AlwaysClamp);
  ImGui::EndDisabled();
}

void ParameterPanel::draw_fields(Workspace& workspace, FileBrowser& files) {
  ParamBox& params = workspace.work().params;
  for (const FieldRef& field : params.fields()) {
    ImGui::PushID(field.name.data());
    const bool is_grid = std::holds_alternative<GridValue>(field.value);
    if (is_grid) {
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(field.name.data());
      if (ImGui::IsItemHovered()) tooltip(std::string(field.help) + "\ndrag a number, or double-click to type it");
    } else {
      const std::string help = std::string(field.help) + "\n" + accepted(field);
      label_left(field.name, help, label_width());
    }
    bool changed = false;
    if (const auto* text = std::get_if<TextValue>(&field.value)) {
      if (text->is_path) {
        const float button = ImGui::GetFrameHeight() * 1.4f;
        ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemInnerSpacing.x);
        changed = input_text("##value", *text->value);
        ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
        if (ImGui::Button("...", {button, 0}))
          files.open("Choose a file", FileBrowser::Purpose::open,
                     [&workspace, name = std::string(field.name)](const std::filesystem::path& path) {
                       try {
                         workspace.work().params.assign(name, path.string());
                       } catch (const Error& error) {
                         workspace.log.error(error.what());
                       }
                     });
      } else {
        changed = input_text("##value", *text->value);
      }
    } else {
      changed = std::visit(
          [&field](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, TextValue>)
              return false;
            else
              return draw_value(field, value);
          },
          field.value);
    }
    if (changed) params.edited(field.name);
    ImGui::PopID();
  }

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
      try {
        assign_json(workspace.work().params, io::load_text(path));
        workspace.log.info("loaded preset " + path.string());
      } catch (const Error& error) {
        workspace.log.error(error.what());
      }
    });
  ImGui::SameLine();
  if (ImGui::Button("Save...", {half, 0}))
    files.open("Save the preset", FileBrowser::Purpose::save_preset, [&workspace](const std::filesystem::path& path) {
      try {
        io::save_bytes(path, to_json(workspace.work().params));
        workspace.log.info("saved preset " + path.string());
      } catch (const Error& error) {
        workspace.log.error(error.what());
      }
    });
}

}  // namespace threadscape::app
