#include "compute/warp/gpu_models.h"

#include <array>
#include <charconv>
#include <string>

#include "compute/core/errors.h"

namespace threadscape::warp {

namespace {

constexpr int kib = 1024;
constexpr std::int64_t mib = 1024 * 1024;

constexpr std::array models{
    GpuModel{75, "T4", 40, 32, 16, 65536, 64 * kib, 64 * kib, 0, 256, 96 * kib, 4 * mib},
    GpuModel{80, "A100", 108, 64, 32, 65536, 164 * kib, 163 * kib, kib, 128, 192 * kib, 40 * mib},
    GpuModel{86, "RTX 3090", 82, 48, 16, 65536, 100 * kib, 99 * kib, kib, 128, 128 * kib, 6 * mib},
    GpuModel{89, "RTX 4090", 128, 48, 24, 65536, 100 * kib, 99 * kib, kib, 128, 128 * kib, 72 * mib},
    GpuModel{90, "H100 SXM", 132, 64, 32, 65536, 228 * kib, 227 * kib, kib, 128, 256 * kib, 50 * mib},
    GpuModel{100, "B200", 148, 64, 32, 65536, 228 * kib, 227 * kib, kib, 128, 256 * kib, 126 * mib},
    GpuModel{120, "RTX 5090", 170, 48, 24, 65536, 100 * kib, 99 * kib, kib, 128, 128 * kib, 96 * mib},
};

std::string capabilities() {
  std::string text;
  for (const GpuModel& model : models)
    text += (text.empty() ? "" : " | ") + std::to_string(model.capability / 10) + "." +
            std::to_string(model.capability % 10);
  return text;
}

}  // namespace

std::span<const GpuModel> gpu_models() {
  return models;
}

const GpuModel& gpu_model(int capability) {
  const GpuModel* best = nullptr;
  for (const GpuModel& model : models)
    if (model.capability <= capability) best = &model;
  if (best == nullptr)
    throw UsageError("no GPU of compute capability " + std::to_string(capability / 10) + "." +
                     std::to_string(capability % 10) + " is known: " + capabilities());
  return *best;
}

const GpuModel& parse_gpu_model(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '.') digits += c;
  int capability = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), capability);
  if (error != std::errc() || end != digits.data() + digits.size() || capability < 10 || capability > 999)
    throw UsageError("--gpu '" + std::string(text) + "' is no compute capability: accepted are " + capabilities());
  return gpu_model(capability);
}

}  // namespace threadscape::warp
