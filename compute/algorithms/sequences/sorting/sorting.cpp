#include "compute/algorithms/sequences/sorting/sorting.h"

#include <cstdio>
#include <cstring>

#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"
#include "compute/algorithms/sequences/sorting/sorting_host.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace {

constexpr std::array<Element, 3> key_types{Element::i32, Element::u32, Element::f32};
constexpr std::int64_t max_keys =
    (std::int64_t{1} << 30) - 1;   ///< The radix sort keeps two flags in the upper bits of counts.
constexpr int max_view_keys = 64;  ///< Maximum length of a sequence that has intermediate results.

Element key_type_of(const Sorting::Params& params) {
  return key_types[static_cast<std::size_t>(params.type)];
}

/// A checksum that does not depend on the order of the keys.
std::uint64_t checksum(const std::uint32_t* keys, std::int64_t count) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t mixed = (keys[i] + 1) * 0x9E3779B97F4A7C15ull;  // the finalizer of SplitMix64
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
    sum += mixed ^ mixed >> 31;
  }
  return sum;
}

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string key_text(std::uint32_t bits, sorting::KeyOrder order) {
  if (order == sorting::KeyOrder::int32) return std::to_string(static_cast<std::int32_t>(bits));
  if (order == sorting::KeyOrder::uint32) return std::to_string(bits);
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(std::bit_cast<float>(bits)));
  return text;
}

}  // namespace

Shape Sorting::output_shape(const Params& params, const Shape& input) {
  const Element element = key_type_of(params);
  if (input.kind != Kind::sequence || input.element != element || input.channels != 1 || input.height != 1)
    throw UsageError("sorting with type=" + std::string(type_names[static_cast<std::size_t>(params.type)]) +
                     " takes a sequence of " + std::string(name_of(element)) + ", not " + to_string(input));
  if (input.width > max_keys)
    throw UsageError("sorting takes up to " + std::to_string(max_keys) + " keys, not " + std::to_string(input.width));
  Shape output = input;
  if (params.pairs) output.height = 2;
  return output;
}

std::size_t Sorting::scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
  if (backend == Backend::cuda) return sorting::device_scratch(params, input.width, variant);
  const auto count = static_cast<std::size_t>(input.width);
  const bool merges = backend == Backend::openmp && variant == 0;
  const int buffers = (params.pairs ? 1 : 0) + (merges ? 1 : 0);
  return static_cast<std::size_t>(buffers) * HostScratch::padded(count * sorting::item_bytes(params));
}

Shape Sorting::input_shape(const Params& params) {
  return {Kind::sequence, key_type_of(params), 1, params.count, 1, 1};
}

HostArray Sorting::make_input(const Params& params, std::uint64_t seed) {
  return sequences::make_sequence(key_type_of(params), params.count, params.distribution, seed);
}

bool Sorting::same_input(const Params& a, const Params& b) {
  return a.count == b.count && a.type == b.type && a.distribution == b.distribution;
}

std::string Sorting::report(const Params& params, const HostIn& in, const HostIn& result) {
  const auto* before = reinterpret_cast<const std::uint32_t*>(in.data);
  const auto* after = reinterpret_cast<const std::uint32_t*>(result.data);
  const std::int64_t count = in.shape.width;
  bool sorted = true, taken_along = true;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto key = sorting::encode(after[i], params.type);
    if (i > 0 && key < sorting::encode(after[i - 1], params.type)) sorted = false;
    if (params.pairs && (after[count + i] >= count || before[after[count + i]] != after[i])) taken_along = false;
  }
  std::string text = std::to_string(count) + " keys from " + key_text(after[0], params.type) + " to " +
                     key_text(after[count - 1], params.type) + "\nsorted: " + (sorted ? "yes" : "no");
  if (params.stages > 0)
    text += ", after " + std::to_string(sorting::stages_to_run(params, count)) + " of " +
            std::to_string(sorting::stages_for(count)) + " stages";
  text += "\nchecksum of the input: " + hexadecimal(checksum(before, count)) +
          "\nchecksum of the result: " + hexadecimal(checksum(after, count)) + "\n";
  if (params.pairs) text += std::string("every place leads to its key: ") + (taken_along ? "yes" : "no") + "\n";
  return text;
}

std::vector<std::pair<std::string, Sorting::Params>> Sorting::intermediates(const Params& params) {
  std::vector<std::pair<std::string, Params>> pictures;
  if (params.count > max_view_keys || params.stages > 0) return pictures;
  const int stages = sorting::stages_for(params.count);
  for (int number = 0; number < stages; ++number) {
    pictures.emplace_back(sorting::title_of(sorting::stage_at(params.network, params.count, number)), params);
    pictures.back().second.stages = number + 1 < stages ? number + 1 : 0;  // The last one is the result itself.
  }
  return pictures;
}

AlgorithmInfo describe_sorting() {
  return describe<Sorting>("sorting");
}

}  // namespace threadscape
