#include "app/shell/device_panel.h"

#include <imgui.h>

#include <string_view>

#include "app/ui/widgets.h"
#include "compute/core/cpu_info.h"
#include "compute/core/machine.h"

namespace threadscape::app {

namespace {

constexpr std::string_view yes_mark = " (1 = yes)";  ///< Ends the title of a limit that is a yes or a no.

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string value_text(const gpu::DeviceLimit& limit) {
  const auto value = static_cast<double>(limit.value);
  if (limit.title.ends_with(yes_mark)) return limit.value != 0 ? "yes" : "no";
  if (limit.unit == "bytes" && limit.value >= 1024) return format_bytes(value);
  if (limit.unit == "bytes/s") return format_value(value / 1e9) + " GB/s";
  if (limit.unit == "kHz") return format_value(value / 1e3) + " MHz";
  return format_grouped(limit.value) + (limit.unit.empty() ? "" : " ") + std::string(limit.unit);
}

void fact_rows(const char* id, const FactRows& rows, float name_width) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, name_width);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [name, value] : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", name.c_str());
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", value.c_str());
  }
  ImGui::EndTable();
}

}  // namespace

FactRows limit_rows(std::span<const gpu::DeviceLimit> limits) {
  FactRows rows;
  for (const gpu::DeviceLimit& limit : limits) {
    std::string_view title = limit.title;
    if (title.ends_with(yes_mark)) title.remove_suffix(yes_mark.size());
    rows.emplace_back(title, value_text(limit));
  }
  return rows;
}

std::string no_limits_text() {
  const char* wanted = gpu::devices().compiled ? "the driver of an NVIDIA GPU" : "a build with CUDA (nvcc)";
  return std::string(
             "No GPU is used. Its limits (blocks, threads, registers, memories, clocks, bus) are listed here "
             "with ") +
         wanted + ".";
}

MachineFacts machine_facts(const gl::Context& context, const interop::RouteReport& route) {
  MachineFacts facts;
  facts.hardware_threads = hardware_threads();
  const CpuInfo& cpu = cpu_info();
  facts.rows.emplace_back("CPU", cpu.model);
  facts.rows.emplace_back("cores", std::to_string(cpu.physical_cores) + ", " + std::to_string(cpu.logical_cores) +
                                       " threads, SIMD " + cpu.simd + ", " +
                                       format_bytes(static_cast<double>(cpu.memory_bytes)));
  gpu::Device& chosen = route.device != nullptr ? *route.device : gpu::devices().first();
  const gpu::DeviceInfo& device = chosen.info();
  if (chosen.available()) {
    facts.rows.emplace_back("GPU", device.name + ", " + std::to_string(device.multiprocessors) + " multiprocessors, " +
                                       format_bytes(static_cast<double>(device.total_bytes)));
    facts.rows.emplace_back("CUDA", "compute " + std::to_string(device.compute_major) + "." +
                                        std::to_string(device.compute_minor) + ", driver " +
                                        version_text(gpu::devices().driver_version) + ", runtime " +
                                        version_text(gpu::devices().runtime_version));
    facts.limits = limit_rows(chosen.limits());
  } else {
    facts.rows.emplace_back("CUDA", chosen.obstacle());
  }
  facts.rows.emplace_back("OpenGL", context.renderer() + ", " + context.version() + ", " + context.origin());
  facts.rows.emplace_back("route", std::string(interop::name_of(route.cuda_route)) + ": " + route.reason);
  return facts;
}

void draw_device_panel(const MachineFacts& facts, Workspace& workspace, const Fonts& fonts) {
  if (gpu::Device& device = workspace.device(); device.available() && !device.usable()) {
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(warning_colour(), "%s: %s", device.info().name.c_str(), device.problem().c_str());
    ImGui::PopTextWrapPos();
    if (ImGui::Button("Use it again")) {
      if (const std::string why = device.revive(); why.empty())
        workspace.log.info(device.info().name + " has a new context, and can be used again");
      else
        workspace.log.error(device.info().name + " cannot be used again: " + why);
    }
    ImGui::Spacing();
  }
  fact_rows("facts", facts.rows, em(7));
  ImGui::Spacing();
  heading(fonts.strong, "Limits of the GPU");
  if (facts.limits.empty())
    ImGui::TextWrapped("%s", no_limits_text().c_str());
  else
    fact_rows("limits", facts.limits, em(20));
}

}  // namespace threadscape::app
