#include "app/measure/report_kernels.h"

#include <cmath>

#include "app/report/text.h"

namespace threadscape::app {

namespace {

/// Limits of what files may state: far beyond any GPU, and small enough for every sum and product of them.
constexpr int most = 1 << 30;

std::array<unsigned, 3> parse_extents(const JsonNode& node) {
  const std::vector<JsonNode> values = node.items();
  if (values.size() != 3) node.fail("three numbers are wanted");
  std::array<unsigned, 3> extents{};
  for (std::size_t i = 0; i < 3; ++i)
    extents[i] = static_cast<unsigned>(values[i].integer(1, most));
  return extents;
}

/// "4096", "128 x 128" or "16 x 16 x 4": trailing extents of 1 are left out.
std::string extents_text(const std::array<unsigned, 3>& extents) {
  std::string text = std::to_string(extents[0]);
  if (extents[1] > 1 || extents[2] > 1) text += " x " + std::to_string(extents[1]);
  if (extents[2] > 1) text += " x " + std::to_string(extents[2]);
  return text;
}

}  // namespace

Json kernels_json(const cuda::Kernels& kernels) {
  Json json = Json::array();
  for (const cuda::KernelFacts& kernel : kernels)
    json.push_back({{"name", kernel.name},
                    {"launches", kernel.launches},
                    {"grid", kernel.grid},
                    {"block", kernel.block},
                    {"registers", kernel.registers},
                    {"shared_bytes", kernel.shared_bytes},
                    {"local_bytes", kernel.local_bytes},
                    {"blocks_per_multiprocessor", kernel.blocks_per_multiprocessor},
                    {"occupancy", kernel.occupancy}});
  return json;
}

cuda::Kernels parse_kernels(const JsonNode& node) {
  cuda::Kernels kernels;
  for (const JsonNode& entry : node.items())
    kernels.push_back({.name = entry.at("name").text(),
                       .launches = entry.at("launches").integer(1, most),
                       .grid = parse_extents(entry.at("grid")),
                       .block = parse_extents(entry.at("block")),
                       .registers = entry.at("registers").integer(0, most),
                       .shared_bytes = static_cast<std::size_t>(entry.at("shared_bytes").integer(0, most)),
                       .local_bytes = static_cast<std::size_t>(entry.at("local_bytes").integer(0, most)),
                       .blocks_per_multiprocessor = entry.at("blocks_per_multiprocessor").integer(0, most),
                       .occupancy = entry.at("occupancy").number(0.0, 1.0)});
  return kernels;
}

std::string kernel_sentence(const cuda::KernelFacts& kernel) {
  std::string text = "Kernel " + kernel.name + ": " + std::to_string(kernel.launches) +
                     (kernel.launches == 1 ? " launch of " : " launches of ") + extents_text(kernel.grid) +
                     " blocks of " + extents_text(kernel.block) + " threads with " + std::to_string(kernel.registers) +
                     " registers each";
  if (kernel.shared_bytes > 0) text += ", " + std::to_string(kernel.shared_bytes) + " bytes of shared memory a block";
  if (kernel.local_bytes > 0) text += ", " + std::to_string(kernel.local_bytes) + " bytes of local memory a thread";
  return text + "; " + std::to_string(kernel.blocks_per_multiprocessor) +
         (kernel.blocks_per_multiprocessor == 1 ? " block fits" : " blocks fit") +
         " on a multiprocessor, an occupancy of at most " + std::to_string(std::lround(kernel.occupancy * 100.0)) +
         " %.";
}

}  // namespace threadscape::app
