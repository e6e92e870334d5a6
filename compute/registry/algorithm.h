#pragma once
// One row of the registry, and describe<A>(), which makes it from an algorithm's struct. An algorithm looks like this
// (compute/convolution is the model):
//
//   struct Convolution {
//     static constexpr std::string_view title = "Convolution", summary = "...", source = "paper or document";
//     static constexpr std::string_view group = "Edges";   // of the list in the window; may be left out
//     static constexpr Kind input = Kind::image, output = Kind::image;
//     static constexpr Tolerance tolerance = Tolerance::exact();
//     static constexpr std::array cuda_variants{Variant{"tiled", "..."}, Variant{"global", "..."}};   // [0] = default
//     struct Params { ... };
//     static Shape output_shape(const Params&, const Shape& input);            // throws UsageError: unfit input
//     static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
//     static Tolerance tolerance_of(const Params&, const Shape& input, Backend, int variant);   // optional, see below
//     static void check_input(const Params&, const HostIn&);   // optional; throws UsageError: unfit values
//     static Shape input_shape(const Params&);                 // optional, these three together: an input of its own
//     static HostArray make_input(const Params&, std::uint64_t seed);
//     static bool same_input(const Params&, const Params&);
//     static std::string report(const Params&, const HostIn& in, const HostIn& result);   // optional; for `run`
//     static FileNotes file_notes(const Params&, const Shape& input);           // optional, see AlgorithmInfo
//     static int parts(const Params&, const Shape& input);     // optional, see AlgorithmInfo
//     static std::shared_ptr<const Preparation> prepare(const Params&, const HostIn&, std::uint64_t seed,
//                                                       const std::stop_token&, Progress*);
//     static bool needs_preparation(const Params&, Backend);   // optional, these two together: facets/preparation.h
//     static void run_layers(const Params&, const LayerRun&);  // optional, see AlgorithmInfo
//     static Preview preview(const Params&);                   // optional; a picture that explains the parameters
//     static void paint(Params&, const Preview&);              // optional; the other way round: see AlgorithmInfo
//     static std::vector<std::pair<std::string, Params>> view_steps(const Params&);   // optional, see ViewStep
//     static void serial(const Params&, const HostRun&);
//     static void openmp(const Params&, const HostRun&);
//     static void cuda(const Params&, const DeviceRun&);
//   };

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/backend.h"
#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/core/preparation.h"
#include "compute/core/progress.h"
#include "compute/core/scratch.h"
#include "compute/core/shape.h"
#include "compute/registry/facets/preparation.h"
#include "compute/registry/preview.h"

struct CUstream_st;  // the CUDA runtime's stream, so that no CUDA header is needed above compute/cuda

namespace threadscape {

using CudaStream = CUstream_st*;

/// A way to compute the same result: a rung of a teaching ladder, or the fastest known way (the first listed).
struct Variant {
  std::string_view name;
  std::string_view help;
};
inline constexpr std::array<Variant, 1> single_variant{Variant{"default", ""}};

/// How far a backend may be from serial: |a - b| <= abs + rel * |b|. exact() means equal bits.
struct Tolerance {
  double abs = 0.0;
  double rel = 0.0;
  [[nodiscard]] static constexpr Tolerance exact() { return {}; }
  [[nodiscard]] constexpr bool is_exact() const { return abs == 0.0 && rel == 0.0; }
};

/// Everything a CPU backend needs. `scratch` holds at least scratch_bytes(); long runs look at `stop` and return early,
/// and report to `progress` (may be null).
struct HostRun {
  HostIn in;
  HostOut out;
  HostScratch* scratch = nullptr;
  int threads = 1;
  int variant = 0;
  std::uint64_t seed = 0;
  std::stop_token stop;
  Progress* progress = nullptr;
  const Preparation* preparation = nullptr;  ///< Of the algorithm's own type where AlgorithmInfo::preparation asks so.
};

/// Where a CUDA backend writes: linear device memory, or the surface of a GL texture of the same format.
struct DeviceSink {
  DeviceOut linear;
  std::uint64_t surface = 0;  ///< cudaSurfaceObject_t; 0 = write to `linear`
  Shape shape;
};

/// Some of the parts of a run, [first, end); all unless said otherwise. See AlgorithmInfo::parts.
struct PartRange {
  static constexpr int all = std::numeric_limits<int>::max();
  int first = 0, end = all;
};

/// Everything a CUDA backend needs. All work goes to `stream`; the call returns without waiting for it.
struct DeviceRun {
  DeviceIn in;
  DeviceSink out;
  DeviceScratch* scratch = nullptr;
  CudaStream stream = nullptr;
  int variant = 0;
  std::uint64_t seed = 0;
  PartRange parts = {};                      ///< only algorithms with parts() are asked for less than all
  const Preparation* preparation = nullptr;  ///< Of the algorithm's own type where AlgorithmInfo::preparation asks so.
};

/// A volume that need not fit into memory.
class LayerReader {
 public:
  virtual ~LayerReader() = default;
  /// Of floats; its layers are the slices along `depth`.
  [[nodiscard]] virtual const Shape& shape() const = 0;
  /// The layers [first, end). Throws EnvironmentError.
  virtual void read(std::int64_t first, std::int64_t end, float* to) = 0;
};

/// A run whose input is read on the way. The result is in host memory as a whole, without gaps.
struct LayerRun {
  LayerReader* in = nullptr;
  HostOut out;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 1;
  std::size_t memory = 0;  ///< bytes that layers and working memory may take; 0 = no limit
  std::stop_token stop;
  Progress* progress = nullptr;
};

/// What a file of a result says beside its numbers, in formats that can.
struct FileNotes {
  int bits = 0;                            ///< of its numbers; 0 = what fits the result
  std::array<double, 3> spacing{1, 1, 1};  ///< of a volume, along x, y (the slices) and z
  std::vector<std::string> titles;         ///< of a volume's slices; fewer: numbers in their place
};

/// A picture on the way to a result, as what the same algorithm computes with other parameters: so every backend and
/// every route can show it.
struct ViewStep {
  std::string title;
  ParamBox params;
};

struct AlgorithmInfo {
  std::string_view name, title, summary, source, group;
  Kind input = Kind::none, output = Kind::none;
  Tolerance tolerance;
  std::array<std::span<const Variant>, 3> variants;  ///< by Backend; [0] is the default

  ParamBox (*defaults)() = nullptr;
  Shape (*output_shape)(const ParamBox&, const Shape& input) = nullptr;
  std::size_t (*scratch_bytes)(const ParamBox&, const Shape& input, Backend, int variant) = nullptr;
  /// Where some ways to compute are exact and others are not; null: `tolerance` holds for all.
  Tolerance (*tolerance_of)(const ParamBox&, const Shape& input, Backend, int variant) = nullptr;
  void (*check_input)(const ParamBox&, const HostIn&) = nullptr;  ///< null when any values are fit
  // An algorithm can bring an input of its own, for when no file is given; null where input has to be given.
  /// Its kind, numbers and extents; also how a file without a header is to be read (its length says how much there is).
  Shape (*input_shape)(const ParamBox&) = nullptr;
  HostArray (*make_input)(const ParamBox&, std::uint64_t seed) = nullptr;
  /// Whether both make the same input from the same seed.
  bool (*same_input)(const ParamBox&, const ParamBox&) = nullptr;
  /// The result in words, a line each: numbers that a picture does not tell. Null when there are none.
  std::string (*report)(const ParamBox&, const HostIn& input, const HostIn& result) = nullptr;
  /// Null: nothing to say.
  FileNotes (*file_notes)(const ParamBox&, const Shape& input) = nullptr;
  void (*serial)(const ParamBox&, const HostRun&) = nullptr;
  void (*openmp)(const ParamBox&, const HostRun&) = nullptr;
  void (*cuda)(const ParamBox&, const DeviceRun&) = nullptr;  ///< null in builds without CUDA
  /// Of how many parts a CUDA run consists, so that a long one can be watched and the device be shared with drawing.
  /// Calls with consecutive ranges, the same input, sink and scratch equal one call; after each the output holds what
  /// was found so far. Null: 1.
  int (*parts)(const ParamBox&, const Shape& input) = nullptr;
  std::optional<PreparationFacet> preparation;
  /// As a run on the whole volume, for those larger than memory. Throws UsageError, EnvironmentError, Cancelled. Null:
  /// the input has to fit.
  void (*run_layers)(const ParamBox&, const LayerRun&) = nullptr;

  // What the window shows beside the result; null where an algorithm has nothing to show.
  /// Throws UsageError and EnvironmentError for parameters that make no picture.
  Preview (*preview)(const ParamBox&) = nullptr;
  /// Takes over a preview that was painted: afterwards preview() makes that picture. Throws UsageError.
  void (*paint)(ParamBox&, const Preview&) = nullptr;
  /// In order; the last is the result itself. Fewer than two: there is nothing on the way.
  std::vector<ViewStep> (*view_steps)(const ParamBox&) = nullptr;

  [[nodiscard]] std::span<const Variant> variants_of(Backend backend) const {
    return variants[static_cast<std::size_t>(backend)];
  }
  /// Index of a variant by name; "" is the default. Throws UsageError and lists the known ones.
  [[nodiscard]] int variant_index(Backend backend, std::string_view variant) const;
};

/// Where the window lists an algorithm that names no group of its own.
[[nodiscard]] constexpr std::string_view group_name(Kind output) {
  switch (output) {
    case Kind::image:
      return "Filters";
    case Kind::heightfield:
      return "Terrain";
    case Kind::volume:
      return "Volumes";
    default:
      return "Sequences";
  }
}

/// The registry row of algorithm `A`. Called once per folder, from that folder's <name>.cpp.
template <class A>
AlgorithmInfo describe(std::string_view name) {
  using P = typename A::Params;
  AlgorithmInfo info;
  info.name = name;
  info.title = A::title;
  info.summary = A::summary;
  info.source = A::source;
  info.group = group_name(A::output);
  if constexpr (requires { A::group; }) info.group = A::group;
  info.input = A::input;
  info.output = A::output;
  info.tolerance = A::tolerance;
  info.variants = {single_variant, single_variant, single_variant};
  if constexpr (requires { A::serial_variants; }) info.variants[0] = A::serial_variants;
  if constexpr (requires { A::openmp_variants; }) info.variants[1] = A::openmp_variants;
  if constexpr (requires { A::cuda_variants; }) info.variants[2] = A::cuda_variants;
  info.defaults = [] { return ParamBox::of(P{}); };
  info.output_shape = [](const ParamBox& p, const Shape& in) { return A::output_shape(p.as<P>(), in); };
  info.scratch_bytes = [](const ParamBox& p, const Shape& in, Backend backend, int variant) {
    return A::scratch_bytes(p.as<P>(), in, backend, variant);
  };
  if constexpr (requires { A::tolerance_of; })
    info.tolerance_of = [](const ParamBox& p, const Shape& in, Backend backend, int variant) {
      return A::tolerance_of(p.as<P>(), in, backend, variant);
    };
  if constexpr (requires { A::check_input; })
    info.check_input = [](const ParamBox& p, const HostIn& in) { A::check_input(p.as<P>(), in); };
  if constexpr (requires { A::make_input; }) {
    info.input_shape = [](const ParamBox& p) { return A::input_shape(p.as<P>()); };
    info.make_input = [](const ParamBox& p, std::uint64_t seed) { return A::make_input(p.as<P>(), seed); };
    info.same_input = [](const ParamBox& a, const ParamBox& b) { return A::same_input(a.as<P>(), b.as<P>()); };
  }
  if constexpr (requires { A::report; })
    info.report = [](const ParamBox& p, const HostIn& in, const HostIn& result) {
      return A::report(p.as<P>(), in, result);
    };
  if constexpr (requires { A::file_notes; })
    info.file_notes = [](const ParamBox& p, const Shape& in) { return A::file_notes(p.as<P>(), in); };
  if constexpr (requires { A::parts; })
    info.parts = [](const ParamBox& p, const Shape& in) { return A::parts(p.as<P>(), in); };
  info.preparation = preparation_facet<A>();
  if constexpr (requires { A::run_layers; })
    info.run_layers = [](const ParamBox& p, const LayerRun& run) { A::run_layers(p.as<P>(), run); };
  if constexpr (requires { A::preview; }) info.preview = [](const ParamBox& p) { return A::preview(p.as<P>()); };
  if constexpr (requires { A::paint; })
    info.paint = [](ParamBox& p, const Preview& painted) { A::paint(p.as<P>(), painted); };
  if constexpr (requires { A::view_steps; })
    info.view_steps = [](const ParamBox& p) {
      std::vector<ViewStep> steps;
      for (auto& [title, params] : A::view_steps(p.as<P>()))
        steps.push_back({std::move(title), ParamBox::of(std::move(params))});
      return steps;
    };
  info.serial = [](const ParamBox& p, const HostRun& run) { A::serial(p.as<P>(), run); };
  info.openmp = [](const ParamBox& p, const HostRun& run) { A::openmp(p.as<P>(), run); };
#if TS_HAS_CUDA
  info.cuda = [](const ParamBox& p, const DeviceRun& run) { A::cuda(p.as<P>(), run); };
#endif
  return info;
}

}  // namespace threadscape
