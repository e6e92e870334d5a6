#pragma once
// AlgorithmInfo is a row of the registry. describe<A>() makes it from the struct of an algorithm (algorithm.h).

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/backend.h"
#include "compute/core/params.h"
#include "compute/core/route.h"
#include "compute/core/run.h"
#include "compute/core/variant.h"
#include "compute/registry/facets/effects.h"
#include "compute/registry/facets/halo.h"
#include "compute/registry/facets/intermediates.h"
#include "compute/registry/facets/join.h"
#include "compute/registry/facets/layers.h"
#include "compute/registry/facets/own_input.h"
#include "compute/registry/facets/parts.h"
#include "compute/registry/facets/preparation.h"
#include "compute/registry/facets/preview.h"
#include "compute/registry/facets/report.h"
#include "compute/registry/facets/result_settings.h"
#include "compute/registry/facets/stages.h"
#include "compute/registry/facets/traffic.h"
#include "compute/registry/loops.h"
#include "generated/cuda_backend.h"

namespace threadscape {

struct DiagramInfo;

struct AlgorithmInfo {
  std::string_view name, title, summary, source, group;
  Kind input = Kind::none, output = Kind::none;
  Tolerance tolerance;
  /// If true, 16-bit pictures are converted to floats for the computation (compute/engines/sixteen_bit/sixteen_bit.h).
  bool sixteen_bit_as_floats = false;
  bool opens_first = false;                          ///< The window shows it before the user has chosen anything.
  std::array<std::span<const Variant>, 3> variants;  ///< Indexed by Backend; the first variant is the default.
  std::array<std::span<const Route>, 3> routes;      ///< Indexed by Backend: the routes of its default variant.

  std::function<ParamBox()> defaults;
  Shape (*output_shape)(const ParamBox&, const Shape& input) = nullptr;
  std::size_t (*scratch_bytes)(const ParamBox&, const Shape& input, Backend, int variant) = nullptr;
  /// The tolerance of a variant, for algorithms of which only some variants are exact; null if `tolerance` holds for
  /// all variants.
  Tolerance (*tolerance_of)(const ParamBox&, const Shape& input, Backend, int variant) = nullptr;
  /// The number of arithmetic operations of one run by the definition of the algorithm, for the roofline: variants that
  /// need fewer operations count the same. Null if the algorithm states none.
  double (*operations)(const ParamBox&, const Shape& input) = nullptr;
  /// Throws UsageError for values that the algorithm does not accept; null if it accepts all.
  void (*check_input)(const ParamBox&, const HostIn&) = nullptr;
  /// The parameters that `verify` starts from, where the defaults would make its runs too long; null for the defaults.
  ParamBox (*verify_params)() = nullptr;
  /// The parameters that the command `run` takes where the result of the stated ones would be the input; null if there
  /// are none.
  ParamBox (*run_params)(const ParamBox&, const Shape& input) = nullptr;
  void (*serial)(const ParamBox&, const HostRun&) = nullptr;
  void (*openmp)(const ParamBox&, const HostRun&) = nullptr;
  void (*cuda)(const ParamBox&, const DeviceRun&) = nullptr;  ///< Null in builds without CUDA.
  /// Returns true if cuda() makes the layers of a volume alone that DeviceRun::layers says, or at least those rows of a
  /// heightfield, to the bit. Null if it never does. Results are made so in parts, each from all of the input.
  bool (*makes_layers)(const ParamBox&) = nullptr;

  // Optional features of the algorithm, empty if it does not have them. The functions of a facet are never null.
  std::optional<OwnInputFacet> own_input;
  std::optional<PreparationFacet> preparation;
  std::optional<PartsFacet> parts;
  std::optional<HaloFacet> halo;
  std::optional<JoinFacet> join;
  std::optional<LayersFacet> layers;
  std::optional<StreamFacet> stream;
  std::optional<SlabsFacet> slabs;
  std::optional<ReportFacet> report;
  std::optional<FileNotesFacet> file_notes;
  std::optional<PreviewFacet> preview;
  std::optional<PaintingFacet> painting;
  std::optional<IntermediatesFacet> intermediates;
  std::optional<StagesFacet> stages;
  std::optional<ResultSettingsFacet> result_settings;

  // What files beside the algorithm declare, and the registry adds to the row: the memory that runs use
  // (<name>_traffic.cpp), the parameters without effect (<name>_effects.cpp), and diagrams (<name>_diagram.cpp), which
  // diagrams_of() reads.
  Traffic traffic;
  std::span<const EffectRule> effects;
  std::shared_ptr<const DiagramInfo> diagrams;

  [[nodiscard]] std::span<const Variant> variants_of(Backend backend) const {
    return variants[static_cast<std::size_t>(backend)];
  }
  /// The routes of the default variant; empty where there is only one way of computing a run.
  [[nodiscard]] std::span<const Route> routes_of(Backend backend) const {
    return routes[static_cast<std::size_t>(backend)];
  }
  /// The index of the variant with this name; "" is the default. Throws UsageError with the list of the known names.
  [[nodiscard]] int variant_index(Backend backend, std::string_view variant) const;
};

/// The heading under which the window lists an algorithm that declares no group.
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

/// Makes the registry row of algorithm `A`. The file <name>.cpp in its folder calls it once.
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
  if constexpr (requires { A::sixteen_bit_as_floats; }) info.sixteen_bit_as_floats = A::sixteen_bit_as_floats;
  if constexpr (requires { A::opens_first; }) info.opens_first = A::opens_first;
  info.variants = {single_variant, single_variant, single_variant};
  if constexpr (requires { A::serial_variants; }) info.variants[0] = A::serial_variants;
  if constexpr (HasLoops<A>)
    info.variants[1] = openmp_variants_with_loops<A>;
  else if constexpr (requires { A::openmp_variants; })
    info.variants[1] = A::openmp_variants;
  if constexpr (requires { A::cuda_variants; }) info.variants[2] = A::cuda_variants;
  if constexpr (requires { A::openmp_routes; }) info.routes[1] = A::openmp_routes;
  if constexpr (requires { A::cuda_routes; }) info.routes[2] = A::cuda_routes;
  info.defaults = [] { return ParamBox::of(P{}); };
  info.output_shape = [](const ParamBox& p, const Shape& in) { return A::output_shape(p.as<P>(), in); };
  info.scratch_bytes = [](const ParamBox& p, const Shape& in, Backend backend, int variant) {
    if (backend == Backend::openmp && is_loops<A>(variant)) return A::scratch_bytes(p.as<P>(), in, Backend::serial, 0);
    return A::scratch_bytes(p.as<P>(), in, backend, variant);
  };
  if constexpr (requires { A::tolerance_of; })
    info.tolerance_of = [](const ParamBox& p, const Shape& in, Backend backend, int variant) {
      if (backend == Backend::openmp && is_loops<A>(variant)) return A::tolerance_of(p.as<P>(), in, Backend::serial, 0);
      return A::tolerance_of(p.as<P>(), in, backend, variant);
    };
  if constexpr (requires(const P& p, const Shape& in) { A::operations(p, in); })
    info.operations = [](const ParamBox& p, const Shape& in) { return A::operations(p.as<P>(), in); };
  if constexpr (requires { A::check_input; })
    info.check_input = [](const ParamBox& p, const HostIn& in) { A::check_input(p.as<P>(), in); };
  if constexpr (requires { A::verify_params(); }) info.verify_params = [] { return ParamBox::of(A::verify_params()); };
  if constexpr (requires { A::run_params; })
    info.run_params = [](const ParamBox& p, const Shape& in) { return ParamBox::of(A::run_params(p.as<P>(), in)); };
  info.own_input = own_input_facet<A>();
  info.preparation = preparation_facet<A>();
  info.parts = parts_facet<A>();
  if constexpr (requires { A::makes_layers; })
    info.makes_layers = [](const ParamBox& p) { return A::makes_layers(p.as<P>()); };
  info.halo = halo_facet<A>();
  info.join = join_facet<A>();
  info.layers = layers_facet<A>();
  info.stream = stream_facet<A>();
  info.slabs = slabs_facet<A>();
  info.report = report_facet<A>();
  info.file_notes = file_notes_facet<A>();
  info.preview = preview_facet<A>();
  info.painting = painting_facet<A>();
  info.intermediates = intermediates_facet<A>();
  info.stages = stages_facet<A>();
  info.result_settings = result_settings_facet<A>();
  info.serial = [](const ParamBox& p, const HostRun& run) { A::serial(p.as<P>(), run); };
  info.openmp = [](const ParamBox& p, const HostRun& run) {
    if (!is_loops<A>(run.variant)) return A::openmp(p.as<P>(), run);
    HostRun loops = run;
    loops.variant = 0;
    A::serial(p.as<P>(), loops);
  };
#if TS_HAS_CUDA
  info.cuda = [](const ParamBox& p, const DeviceRun& run) { A::cuda(p.as<P>(), run); };
#endif
  return info;
}

}  // namespace threadscape
