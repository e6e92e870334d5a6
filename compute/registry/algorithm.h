#pragma once
// One row of the registry, and describe<A>(), which makes it from an algorithm's struct. An algorithm looks like this
// (compute/algorithms/filters/noise is the smallest complete one):
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
//     // ... and the functions of facets that it has: compute/registry/facets/*.h say which, and what they do
//     static void serial(const Params&, const HostRun&);
//     static void openmp(const Params&, const HostRun&);
//     static void cuda(const Params&, const DeviceRun&);
//   };

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/backend.h"
#include "compute/core/params.h"
#include "compute/core/run.h"
#include "compute/core/variant.h"
#include "compute/registry/facets/layers.h"
#include "compute/registry/facets/own_input.h"
#include "compute/registry/facets/parts.h"
#include "compute/registry/facets/preparation.h"
#include "compute/registry/facets/preview.h"
#include "compute/registry/facets/report.h"
#include "compute/registry/facets/views.h"

namespace threadscape {

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
  void (*serial)(const ParamBox&, const HostRun&) = nullptr;
  void (*openmp)(const ParamBox&, const HostRun&) = nullptr;
  void (*cuda)(const ParamBox&, const DeviceRun&) = nullptr;  ///< null in builds without CUDA

  // What the algorithm offers beside its backends; empty where it does not. The functions of a facet are never null.
  std::optional<OwnInputFacet> own_input;
  std::optional<PreparationFacet> preparation;
  std::optional<PartsFacet> parts;
  std::optional<LayersFacet> layers;
  std::optional<ReportFacet> report;
  std::optional<FileNotesFacet> file_notes;
  std::optional<PreviewFacet> preview;
  std::optional<PaintingFacet> painting;
  std::optional<ViewsFacet> views;

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
  info.own_input = own_input_facet<A>();
  info.preparation = preparation_facet<A>();
  info.parts = parts_facet<A>();
  info.layers = layers_facet<A>();
  info.report = report_facet<A>();
  info.file_notes = file_notes_facet<A>();
  info.preview = preview_facet<A>();
  info.painting = painting_facet<A>();
  info.views = views_facet<A>();
  info.serial = [](const ParamBox& p, const HostRun& run) { A::serial(p.as<P>(), run); };
  info.openmp = [](const ParamBox& p, const HostRun& run) { A::openmp(p.as<P>(), run); };
#if TS_HAS_CUDA
  info.cuda = [](const ParamBox& p, const DeviceRun& run) { A::cuda(p.as<P>(), run); };
#endif
  return info;
}

}  // namespace threadscape
