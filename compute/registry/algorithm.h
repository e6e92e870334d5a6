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
#include "compute/core/file_notes.h"
#include "compute/core/layers.h"
#include "compute/core/params.h"
#include "compute/core/run.h"
#include "compute/core/variant.h"
#include "compute/registry/facets/preparation.h"
#include "compute/registry/preview.h"

namespace threadscape {

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
