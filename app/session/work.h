#pragma once
// The two values that define a run: the data that it works on, and what it computes from them.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "compute/io/loaded.h"
#include "compute/run/device_group.h"
#include "compute/run/runner.h"

namespace threadscape::cuda {
class DeviceFrame;
}

namespace threadscape::app {

/// Data that an algorithm works on. Pointers to them are shared, so that they stay alive while a thread reads them.
struct Source {
  std::filesystem::path path = {};  ///< File from which the data were read; "" for data that an algorithm made.
  std::string origin = {};          ///< What data that are not from a file are, such as "result of sobel"; else "".
  io::Loaded picture;
  std::uint64_t id = 0;  ///< A number that no other source has; 0 means no source.
  /// The id of the first frame of the moving picture that the data are a frame of, or were made from; 0 if they do not
  /// move. The first frame itself has 0, as it was opened like a picture.
  std::uint64_t stream = 0;
  std::uint64_t frame = 0;  ///< The number of the frame in the moving picture, from 0 on; 0 if the data do not move.
  /// The data as they were uploaded to the GPU ahead of their use (compute/engines/yuv/device_frames.h). Null if the
  /// data are not a frame of a moving picture, or were not uploaded ahead.
  std::shared_ptr<cuda::DeviceFrame> on_device = {};

  /// Equal for the frames of one moving picture, and no other data.
  [[nodiscard]] std::uint64_t stream_id() const { return stream != 0 ? stream : id; }
  /// What the data are, in a few words: the name of the file, or the origin; "" for an input that the algorithm made.
  [[nodiscard]] std::string title() const { return path.empty() ? origin : path.filename().string(); }
};

struct StepsBefore;

/// The choice of what a run computes. Two works are compared by value: a run is due if the wanted work differs from the
/// displayed work.
struct Work {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 0;
  std::uint64_t seed = 0;
  std::uint64_t source_id = 0;    ///< Source::id of the input; 0 if there is no input.
  std::uint64_t frame = 0;        ///< Source::frame of the input.
  gpu::Device* device = nullptr;  ///< RunRequest::device.
  /// Several devices, the first of which is `device`, for runs that can be divided; empty = `device` alone.
  std::vector<gpu::Device*> devices = {};
  /// If true, a scene shows a stage of the run, whose times are not those of the run. Not compared.
  bool is_stage = false;
  /// The steps of a list that make the input; null if there are none. Equal for works that are compared.
  std::shared_ptr<const StepsBefore> before = {};

  [[nodiscard]] RunRequest request() const {
    RunRequest made{.algorithm = algorithm,
                    .params = params,
                    .backend = backend,
                    .variant = variant,
                    .threads = threads,
                    .seed = seed,
                    .frame = frame,
                    .device = device};
    if (backend == Backend::cuda && devices.size() > 1 && why_not_divisible(made).empty()) made.devices = devices;
    return made;
  }
  /// Returns true for a run that is divided among several devices, from host memory to host memory.
  [[nodiscard]] bool is_divided() const {
    return backend == Backend::cuda && devices.size() > 1 && threadscape::is_divided(request());
  }
  /// Makes the input that the algorithm makes itself, or that the steps before it make, and checks it. This may take
  /// seconds, so a worker thread calls it. `progress` may be null. Throws UsageError and EnvironmentError, and
  /// Cancelled if the steps were stopped.
  [[nodiscard]] HostArray make_input(const std::stop_token& stop = {}, Progress* progress = nullptr) const;
  /// All members but the devices, and the number of the frame, which follows from the input.
  [[nodiscard]] auto members() const {
    return std::tie(algorithm, params, backend, variant, threads, seed, source_id, before);
  }
  /// The devices matter for CUDA alone.
  friend bool operator==(const Work& a, const Work& b) {
    return a.members() == b.members() &&
           (a.backend != Backend::cuda || (a.device == b.device && a.devices == b.devices));
  }
};

}  // namespace threadscape::app
