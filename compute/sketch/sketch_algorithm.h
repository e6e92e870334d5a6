#pragma once
// Sketches as rows of the registry, which are added while the program runs.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compute/registry/registry.h"
#include "compute/sketch/kernels.h"
#include "compute/sketch/twin.h"

namespace threadscape::sketch {

/// A sketch, and what was compiled from it. Threads may share it.
class LiveSketch {
 public:
  LiveSketch(Sketch sketch, std::string row_name) : sketch_(std::move(sketch)), row_name_(std::move(row_name)) {}
  [[nodiscard]] const Sketch& sketch() const { return sketch_; }
  [[nodiscard]] const std::string& row_name() const { return row_name_; }
  /// What the source compiles to, which is made once. Throws what compile_kernels() and compile_twin() throw.
  [[nodiscard]] std::shared_ptr<const Kernels> kernels();
  [[nodiscard]] std::shared_ptr<const Twin> twin();

  /// Runs the sketch on an input of any colours and numbers that it takes, into a result of result_shape(). Kernels are
  /// executed on the CPU by the machine of warps. Throws what run_on_machine() and run_twin() throw.
  void run(const std::vector<Value>& values, HostIn input, HostOut output, const MachineRun& how);

 private:
  Sketch sketch_;
  std::string row_name_;
  std::mutex compiling_;
  std::shared_ptr<const Kernels> kernels_;
  std::shared_ptr<const Twin> twin_;
};

/// The parameters of a row.
struct SketchParams {
  std::shared_ptr<LiveSketch> live;
  std::vector<Value> values;

  std::vector<FieldRef> bound_fields();
  [[nodiscard]] std::string problem() const;
  bool operator==(const SketchParams&) const = default;
};

/// Adds a row for a sketch and returns it. Its name is "sketch_" and that of the sketch, with a number if that is
/// taken. `serial` and `openmp` run it on the CPU with one thread or several. Throws what add_algorithm() throws.
const AlgorithmInfo& add_sketch(Sketch sketch);
/// The sketch of a row that add_sketch() has added; null for other rows.
[[nodiscard]] std::shared_ptr<LiveSketch> sketch_of(const AlgorithmInfo& row);

}  // namespace threadscape::sketch
