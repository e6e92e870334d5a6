// The types and functions of NPP are declared here, because its headers are not installed where the program is built.
// They are those of NPP 12 and 13 (nppdefs.h, nppi_filtering_functions.h, nppi_morphological_operations.h).

#include "app/bench/npp_peer.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/algorithms/smoothing/mean/mean.h"
#include "compute/algorithms/smoothing/median/median.h"
#include "compute/gpu/buffer.h"
#include "compute/gpu/check.h"

namespace threadscape::app {

namespace {

using Bytes = std::uint8_t;

struct NppSize {
  int width, height;
};
struct NppPoint {
  int x, y;
};
struct NppContext {
  cudaStream_t stream;
  int device, multiprocessors, max_threads_per_multiprocessor, max_threads_per_block;
  std::size_t shared_bytes_per_block;
  int compute_major, compute_minor;
  unsigned stream_flags;
  int reserved;
};
constexpr int replicate = 2;  // NPP_BORDER_REPLICATE, the only border of the functions below.

/// What all functions take first: the source with its pitch in bytes, its size and the offset of the region in it, and
/// the result with its pitch and the size of the region.
#define TS_NPP_PICTURE const Bytes*, int, NppSize, NppPoint, Bytes*, int, NppSize

struct Npp {
  int (*filter)(TS_NPP_PICTURE, const int* taps, NppSize mask, NppPoint anchor, int divisor, int border, NppContext);
  int (*box)(TS_NPP_PICTURE, NppSize mask, NppPoint anchor, int border, NppContext);
  int (*median)(TS_NPP_PICTURE, NppSize mask, NppPoint anchor, Bytes* buffer, int border, NppContext);
  int (*median_bytes)(NppSize, NppSize mask, unsigned* bytes, int border, NppContext);
  using Open = int (*)(TS_NPP_PICTURE, const Bytes* mask, NppSize, NppPoint anchor, Bytes* buffer, int border,
                       NppContext);
  using OpenBytes = int (*)(NppSize, int* bytes);
  Open open_grey, open_colour;
  OpenBytes open_grey_bytes, open_colour_bytes;
  std::string problem;  ///< Why the functions cannot be called; "" if they can.
};
#undef TS_NPP_PICTURE

void* open_library(const std::string& name, std::string& problem) {
  for (const char* const version : {"13", "12"})
    if (void* const library = dlopen((name + ".so." + version).c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  if (problem.empty()) problem = name + ".so.13 or .12 cannot be opened: " + dlerror();
  return nullptr;
}

template <class Function>
void find(void* library, const char* name, Function& function, std::string& problem) {
  void* const found = library != nullptr ? dlsym(library, name) : nullptr;
  if (found == nullptr && problem.empty()) problem = std::string("NPP has no function ") + name;
  function = reinterpret_cast<Function>(found);
}

const Npp& npp() {
  static const Npp loaded = [] {
    Npp npp{};
    npp.problem = gpu::devices().first().problem();
    if (!npp.problem.empty()) return npp;
    (void)open_library("libnppc", npp.problem);  // libnppif and libnppim refer to libnppc.
    void* const filters = open_library("libnppif", npp.problem);
    void* const morphology = open_library("libnppim", npp.problem);
    find(filters, "nppiFilterBorder_8u_C1R_Ctx", npp.filter, npp.problem);
    find(filters, "nppiFilterBoxBorder_8u_C1R_Ctx", npp.box, npp.problem);
    find(filters, "nppiFilterMedianBorder_8u_C1R_Ctx", npp.median, npp.problem);
    find(filters, "nppiFilterMedianBorderGetBufferSize_8u_C1R_Ctx", npp.median_bytes, npp.problem);
    find(morphology, "nppiMorphOpenBorder_8u_C1R_Ctx", npp.open_grey, npp.problem);
    find(morphology, "nppiMorphOpenBorder_8u_C4R_Ctx", npp.open_colour, npp.problem);
    find(morphology, "nppiMorphGetBufferSize_8u_C1R", npp.open_grey_bytes, npp.problem);
    find(morphology, "nppiMorphGetBufferSize_8u_C4R", npp.open_colour_bytes, npp.problem);
    return npp;
  }();
  return loaded;
}

void check_status(int status, const char* function) {
  if (status != 0)  // Warnings are positive, errors negative; neither is expected.
    throw EnvironmentError(std::string("NPP: ") + function + " failed with status " + std::to_string(status));
}

NppContext context_of(CudaStream stream) {
  const gpu::DeviceInfo& device = stream.device->info();
  NppContext context{.stream = stream,
                     .device = device.ordinal,
                     .multiprocessors = device.multiprocessors,
                     .max_threads_per_multiprocessor = device.max_threads_per_multiprocessor,
                     .max_threads_per_block = device.max_threads_per_block,
                     .shared_bytes_per_block = device.shared_bytes_per_block,
                     .compute_major = device.compute_major,
                     .compute_minor = device.compute_minor,
                     .stream_flags = 0,
                     .reserved = 0};
  TS_CUDA_CHECK(cudaStreamGetFlags(stream, &context.stream_flags));
  return context;
}

NppSize size_of(const Shape& shape) {
  return {static_cast<int>(shape.width), static_cast<int>(shape.height)};
}

/// Device memory of this many bytes.
std::shared_ptr<gpu::DeviceArray> device_bytes(gpu::Device& device, std::int64_t bytes) {
  device.make_current();  // NPP and the copies that follow use it.
  auto memory = std::make_shared<gpu::DeviceArray>(device);
  memory->reshape(Shape::image(Element::u8, 1, std::max<std::int64_t>(bytes, 1), 1));
  return memory;
}

template <class T>
T* pointer(gpu::DeviceArray& memory) {
  return reinterpret_cast<T*>(memory.view().data);
}

/// Calls an NPP function with the arguments for the whole picture, followed by others.
template <class Function, class... Others>
void call(const char* name, Function function, DeviceIn in, DeviceOut out, Others... others) {
  check_status(function(reinterpret_cast<const Bytes*>(in.data), static_cast<int>(in.pitch), size_of(in.shape), {0, 0},
                        reinterpret_cast<Bytes*>(out.data), static_cast<int>(out.pitch), size_of(out.shape), others...),
               name);
}

DeviceWork filter(const ParamBox& params, const Shape&, gpu::Device& device) {
  const convolution::Plan plan = Convolution::plan(params.as<Convolution::Params>());
  // NPP applies masks mirrored at their centre.
  std::vector<int> taps;
  for (int i = plan.size * plan.size - 1; i >= 0; --i)
    taps.push_back(static_cast<int>(plan.taps[i]));
  const std::size_t bytes = taps.size() * sizeof(int);
  auto memory = device_bytes(device, static_cast<std::int64_t>(bytes));
  TS_CUDA_CHECK(cudaMemcpy(memory->view().data, taps.data(), bytes, cudaMemcpyHostToDevice));
  return [memory, size = plan.size](DeviceIn in, DeviceOut out, CudaStream stream) {
    const NppSize mask{size, size};
    call("nppiFilterBorder", npp().filter, in, out, pointer<const int>(*memory), mask, NppPoint{size / 2, size / 2}, 1,
         replicate, context_of(stream));
  };
}
/// NPP has integer weights. Quotients are left out, because NPP cuts them off and ours are rounded.
bool filter_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Convolution::Params>();
  const convolution::Plan plan = Convolution::plan(p);
  const auto* const end = plan.taps + plan.size * plan.size;
  return holds<std::uint8_t>(shape) && p.border == Border::clamp && !p.absolute && plan.finish.divisor == 1.0f &&
         plan.finish.bias == 0.0f &&
         std::all_of(&plan.taps[0], end, [](float tap) { return tap == std::round(tap) && std::abs(tap) < 1e6f; });
}

DeviceWork box(const ParamBox& params, const Shape&, gpu::Device&) {
  return [size = params.as<Mean::Params>().size](DeviceIn in, DeviceOut out, CudaStream stream) {
    call("nppiFilterBoxBorder", npp().box, in, out, NppSize{size, size}, NppPoint{size / 2, size / 2}, replicate,
         context_of(stream));
  };
}
/// NPP cuts quotients off, so that its results are up to one grey level below ours.
bool box_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) && params.as<Mean::Params>().border == Border::clamp;
}

DeviceWork median(const ParamBox& params, const Shape& input, gpu::Device& device) {
  const int size = params.as<Median::Params>().size;
  const NppSize mask{size, size};
  unsigned bytes = 0;
  check_status(npp().median_bytes(size_of(input), mask, &bytes, replicate, context_of(CudaStream{nullptr, &device})),
               "nppiFilterMedianBorderGetBufferSize");
  return [memory = device_bytes(device, bytes), mask](DeviceIn in, DeviceOut out, CudaStream stream) {
    call("nppiFilterMedianBorder", npp().median, in, out, mask, NppPoint{mask.width / 2, mask.height / 2},
         pointer<Bytes>(*memory), replicate, context_of(stream));
  };
}
bool median_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Median::Params>();
  return holds<std::uint8_t>(shape) && p.percentile == 50 && p.border == Border::clamp;
}

DeviceWork open(const ParamBox& params, const Shape& input, gpu::Device& device) {
  const auto& p = params.as<Morphology::Params>();
  const bool colour = input.channels == 4;
  int bytes = 0;
  check_status((colour ? npp().open_colour_bytes : npp().open_grey_bytes)(size_of(input), &bytes),
               "nppiMorphGetBufferSize");
  const NppSize mask{p.width, p.height};
  const auto cells = std::int64_t{p.width} * p.height;
  auto element = device_bytes(device, cells);
  TS_CUDA_CHECK(cudaMemset(element->view().data, 1, static_cast<std::size_t>(cells)));
  return [element, memory = device_bytes(device, bytes), mask, colour](DeviceIn in, DeviceOut out, CudaStream stream) {
    call("nppiMorphOpenBorder", colour ? npp().open_colour : npp().open_grey, in, out, pointer<const Bytes>(*element),
         mask, NppPoint{mask.width / 2, mask.height / 2}, pointer<Bytes>(*memory), replicate, context_of(stream));
  };
}
/// Pixels beyond the border repeat those at the border, which a window that contains the border contains as well; so
/// they change no minimum or maximum of a rectangle. NPP opens the alpha channel, which ours keeps.
bool open_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Morphology::Params>();
  return (holds<std::uint8_t>(shape) || holds<Rgba8>(shape)) && p.operation == Morphology::Operation::open &&
         p.shape == Morphology::Form::rect && p.flat && p.iterations == 1 && p.border == Border::zero &&
         p.origin_x < 0 && p.origin_y < 0 && p.width % 2 == 1 && p.height % 2 == 1;
}

Peer gpu_peer(std::string_view algorithm, std::string_view name, decltype(Peer::supports) supports,
              decltype(Peer::on_device) on_device) {
  return {.algorithm = algorithm,
          .name = name,
          .supports = std::move(supports),
          .backend = Backend::cuda,
          .on_device = std::move(on_device)};
}

}  // namespace

std::span<const Peer> npp_peers() {
  static const std::array all{gpu_peer("convolution", "NPP FilterBorder", filter_supports, filter),
                              gpu_peer("mean", "NPP FilterBoxBorder", box_supports, box),
                              gpu_peer("median", "NPP FilterMedianBorder", median_supports, median),
                              gpu_peer("morphology", "NPP MorphOpenBorder", open_supports, open)};
  return npp().problem.empty() ? std::span<const Peer>(all) : std::span<const Peer>();
}

std::string npp_problem() {
  return npp().problem;
}

}  // namespace threadscape::app
