#pragma once
// Volumes that need not fit into memory (compute/core/layers.h). An algorithm whose input is read while it runs
// declares
//
//   static void run_layers(const Params&, const LayerRun&);
//   static bool wants_layers(const Params&);
//
// and one that needs no input, and computes its result while that is written,
//
//   static std::unique_ptr<LayerReader> stream(const Params&, int threads, std::stop_token, Progress*);
//
// An algorithm whose result is computed in slabs of layers, each from all of the input, declares
//
//   static std::string why_no_slabs(const Params&, Backend);
//   static std::size_t slab_bytes(const Params&, const Shape& input, const SlabRun& like);
//   static void run_slab(const Params&, const SlabRun&);

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "compute/core/layers.h"
#include "compute/core/params.h"

namespace threadscape {

struct LayersFacet {
  /// Computes the result that a run on the whole volume would compute. Throws UsageError, EnvironmentError and
  /// Cancelled.
  void (*run)(const ParamBox&, const LayerRun&);
  /// Returns true if the parameters ask for reading during the run even where the volume fits into memory.
  bool (*wanted)(const ParamBox&);
};

struct StreamFacet {
  /// The result of `serial` and `openmp`, whose layers are computed when they are read. `progress` may be null. Reading
  /// throws Cancelled once a stop is requested.
  std::unique_ptr<LayerReader> (*layers)(const ParamBox&, int threads, std::stop_token, Progress* progress);
};

struct SlabsFacet {
  /// Why these parameters have no slabs on a backend, as the end of a sentence; "" if they have.
  std::string (*why_not)(const ParamBox&, Backend);
  /// The bytes that a run like this takes beside its part of the result, with the layers of the input; `like` needs no
  /// memory.
  std::size_t (*bytes)(const ParamBox&, const Shape& input, const SlabRun& like);
  /// Computes layers that a run on the whole computes, to the bit. Throws UsageError and EnvironmentError, and returns
  /// early once a stop is requested.
  void (*run)(const ParamBox&, const SlabRun&);
};

template <class A>
std::optional<SlabsFacet> slabs_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::run_slab; })
    return SlabsFacet{.why_not = [](const ParamBox& p, Backend backend) { return A::why_no_slabs(p.as<P>(), backend); },
                      .bytes = [](const ParamBox& p, const Shape& input,
                                  const SlabRun& like) { return A::slab_bytes(p.as<P>(), input, like); },
                      .run = [](const ParamBox& p, const SlabRun& run) { A::run_slab(p.as<P>(), run); }};
  else
    return std::nullopt;
}

template <class A>
std::optional<LayersFacet> layers_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::run_layers; })
    return LayersFacet{.run = [](const ParamBox& p, const LayerRun& run) { A::run_layers(p.as<P>(), run); },
                       .wanted = [](const ParamBox& p) { return A::wants_layers(p.as<P>()); }};
  else
    return std::nullopt;
}

template <class A>
std::optional<StreamFacet> stream_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::stream; })
    return StreamFacet{.layers = [](const ParamBox& p, int threads, std::stop_token stop, Progress* progress) {
      return A::stream(p.as<P>(), threads, std::move(stop), progress);
    }};
  else
    return std::nullopt;
}

}  // namespace threadscape
