#pragma once
// Sketches as rows of the registry, which are added while the program runs.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compute/registry/registry.h"
#include "compute/sketch/gpu_run.h"
#include "compute/sketch/kernels.h"
#include "compute/sketch/twin.h"

namespace threadscape::sketch {

/// A version of a sketch, and what was compiled from it. Threads may share it.
class LiveSketch {
 public:
  explicit LiveSketch(Sketch sketch) : sketch_(std::move(sketch)) {}
  [[nodiscard]] const Sketch& sketch() const { return sketch_; }
  /// What the source compiles to, which is made once. Throws what compile_kernels() and compile_twin() throw. Kernels
  /// are those that the machine of warps executes, without machine code.
  [[nodiscard]] std::shared_ptr<const Kernels> kernels(const std::stop_token& stop = {});
  [[nodiscard]] std::shared_ptr<const Twin> twin(const std::stop_token& stop = {});
  /// The kernels with machine code for a compute capability, times ten.
  [[nodiscard]] std::shared_ptr<const Kernels> kernels_for(int capability, const std::stop_token& stop = {});
  /// The kernels as the first GPU takes them, without machine code, which its driver makes.
  [[nodiscard]] std::shared_ptr<const Kernels> gpu_kernels(const std::stop_token& stop = {});

  /// Runs the sketch on an input of any colours and numbers that it takes, into a result of result_shape(). Kernels are
  /// executed on the CPU by the machine of warps. Throws what run_on_machine() and run_twin() throw.
  void run(const std::vector<Value>& values, HostIn input, HostOut output, const MachineRun& how);
  /// Runs the kernels on the first GPU, after the machine of warps has run them without a fault on a part of this
  /// input. Returns the milliseconds of each repetition. Throws what run() and run_on_gpu() throw.
  std::vector<double> run_on_gpu(const std::vector<Value>& values, HostIn input, HostOut output, std::uint64_t seed,
                                 const GpuRun& how);

 private:
  [[nodiscard]] bool was_tried(const std::vector<Value>& values);

  Sketch sketch_;
  std::mutex compiling_;
  std::shared_ptr<const Kernels> kernels_;
  std::shared_ptr<const Kernels> for_gpu_;                   ///< Those for a GPU of an earlier capability.
  std::map<int, std::shared_ptr<const Kernels>> with_code_;  ///< By their capability.
  std::optional<std::vector<Value>> tried_;  ///< The parameters with which the machine has found no fault.
  std::shared_ptr<const Twin> twin_;
};

/// The parameters of a row, and the version that they are for: a run that has begun goes on with the version that it
/// began with, and each version is another result.
struct SketchParams {
  std::shared_ptr<LiveSketch> live;
  std::vector<Value> values;

  std::vector<FieldRef> bound_fields();
  [[nodiscard]] std::string problem() const;
  bool operator==(const SketchParams&) const = default;
};

/// Copies an input into memory of its accepted shape (accepted_shape()): colours of pictures become their luma or the
/// reverse, and numbers are converted.
void copy_input(HostIn input, HostOut to);

/// Adds a row for a sketch and returns it. Its name is "sketch_" and that of the sketch, with a number if that is
/// taken. `serial` and `openmp` run it on the CPU with one thread or several; where a driver of GPUs is installed, the
/// default variant of `openmp` is the GPU. Throws what add_algorithm() throws.
const AlgorithmInfo& add_sketch(std::shared_ptr<LiveSketch> sketch);
inline const AlgorithmInfo& add_sketch(Sketch sketch) {
  return add_sketch(std::make_shared<LiveSketch>(std::move(sketch)));
}
/// The latest version of the sketch of a row that add_sketch() has added; null for other rows.
[[nodiscard]] std::shared_ptr<LiveSketch> sketch_of(const AlgorithmInfo& row);
/// Returns true for the row of a sketch with kernels. A run of it takes the time of the machine of warps, or of a
/// process, which is no time of the kernels.
[[nodiscard]] bool has_sketched_kernels(const AlgorithmInfo& row);
/// Returns true for runs of a sketch on a GPU, which take as long for a small picture.
[[nodiscard]] bool runs_on_gpu(const AlgorithmInfo& row, Backend backend, int variant);
/// Makes a version the latest one of a row: its defaults are those of the row from now on. Returns false, and changes
/// nothing, if the row cannot stand for it: it has another name or title, it reads or makes another kind of data, or
/// one of the two states no halo.
bool replace_sketch(const AlgorithmInfo& row, const std::shared_ptr<LiveSketch>& version);
/// The parameters of this version, with the values of `old`, those of another version, where a parameter has the same
/// name and type and takes the value.
[[nodiscard]] ParamBox adopted(const std::shared_ptr<LiveSketch>& version, const ParamBox& old);

}  // namespace threadscape::sketch
