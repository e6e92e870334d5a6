#pragma once
// What an algorithm may tell about its inner workings, for the scenes to draw: how values meet, not what they are. An
// algorithm that has something to tell brings a file <name>_diagram.cpp, which CMake finds as it finds the algorithm:
//
//   DiagramInfo describe_<name>_diagram();

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

/// A network of comparisons: in every stage some pairs of places are compared, and the smaller value goes to `lower`.
struct NetworkDiagram {
  struct Exchange {
    int lower = 0, upper = 0;
  };
  struct Stage {
    std::string title;
    std::vector<Exchange> exchanges;
  };
  std::string title;  ///< "bitonic network"
  int places = 0;
  std::vector<Stage> stages;
  int done = 0;  ///< stages that the result has been through
};

/// How a block of CUDA threads makes one value of many: who works in each step, and which places it touches.
struct TreeDiagram {
  /// The thread combines the value at `target` with that at `source`. Places of shared memory, or lanes.
  struct Combination {
    int thread = 0, target = 0, source = 0;
  };
  struct Step {
    std::string title;
    std::vector<Combination> working;
    bool block_barrier = false;  ///< all warps wait for each other afterwards
    bool in_registers = false;   ///< no shared memory is touched
    int warps_working = 0, warps_diverging = 0;
    int bank_conflict = 0;  ///< accesses one after another, in the worst case; 1 = none
  };
  std::string title;  ///< name of the kernel, and what it does
  int threads = 0, warp_threads = 32, banks = 32;
  int value_words = 1;  ///< of 4 bytes, as banks count
  int loads = 1;        ///< values that a thread takes in before the first step; 0 = as many as there are
  std::vector<Step> steps;
};

/// What a single number says about the sequence that it was made of.
struct ScalarNote {
  std::string title;                  ///< "sum of 4194304 int32"
  std::string number;                 ///< the result itself
  std::string detail;                 ///< "" or one line more
  std::optional<double> level;        ///< a value to be drawn as a line across
  std::string level_title;            ///< "mean 3.5"
  std::optional<std::int64_t> place;  ///< the value that is the result, where that is known
  bool is_value = false;              ///< the result is one of the values: its first place is worth a mark
};

/// So many seams of one direction, one after another.
struct SeamRun {
  bool of_rows = false;   ///< seams from left to right: the picture gets lower, or higher
  bool enlarges = false;  ///< pixels of a seam become two: themselves, and the mean with their neighbour
  int seams = 0;
  friend bool operator==(const SeamRun&, const SeamRun&) = default;
};

/// How a picture changes its size, seam by seam.
struct SeamDiagram {
  /// Of the same algorithm. Its result is a 16-bit picture of the input's size: pixels of the i-th seam hold i, those
  /// that stay 0. Seams are numbered through all runs.
  ParamBox map;
  std::vector<SeamRun> runs;
  bool runs_in_map = false;  ///< only as many as there will be: which they are is found with the map
};

/// How a scanner looks at an object. Lengths in the object's own unit, its middle at the origin, z up.
struct ScannerDiagram {
  struct Point {
    double x = 0.0, y = 0.0, z = 0.0;
  };
  struct View {
    double angle = 0.0;  ///< degrees
    Point source;        ///< of a parallel beam: where the ray of the detector's first pixel starts
    Point corner;        ///< middle of the detector's first pixel
    Point column, row;   ///< from a pixel to the next in its row, and to the same in the next row
  };
  /// What the slices of input and output are: layers of the object along y, or views.
  enum class Holds : std::uint8_t { voxels, views };
  Holds input = Holds::voxels, output = Holds::views;
  std::int64_t voxels_x = 1, voxels_y = 1, voxels_z = 1;
  Point voxel{1.0, 1.0, 1.0};  ///< sides
  int columns = 1, rows = 1;   ///< of the detector
  bool parallel = false;
  std::vector<View> views;
};

/// What one ray meets on its way through an object.
struct RayDiagram {
  struct Piece {
    int x = 0, y = 0, z = 0;  ///< voxel
    double length = 0.0, value = 0.0;
  };
  ScannerDiagram::Point from, to;
  ScannerDiagram::Point in, out;  ///< where it enters and leaves the object; the same where it misses
  std::vector<Piece> pieces;      ///< on the way
  double sum = 0.0;               ///< of length times value
};

/// Null where an algorithm has nothing to tell.
struct DiagramInfo {
  /// The comparisons that lead to the result; none for inputs too long to be looked at.
  std::optional<NetworkDiagram> (*network)(const ParamBox&, const Shape& input) = nullptr;
  /// The steps of a CUDA variant within a block of so many threads, a power of two; none for variants without any.
  std::optional<TreeDiagram> (*tree)(const ParamBox&, int variant, int threads) = nullptr;
  /// None when there is no seam, or no map can tell them. Throws as the algorithm's output_shape().
  std::optional<SeamDiagram> (*seams)(const ParamBox&, const Shape& input) = nullptr;
  /// Where the diagram says that the map has them.
  std::vector<SeamRun> (*seam_runs)(const SeamDiagram&, const HostIn& map) = nullptr;
  /// Parameters whose result is the energy, or the cumulative cost, of the picture behind `step` seams.
  ParamBox (*seam_energy)(const ParamBox&, const Shape& input, int step, bool cumulative) = nullptr;
  /// About a result of Kind::scalar.
  ScalarNote (*note)(const ParamBox&, const Shape& input, const HostIn& result) = nullptr;
  /// Of an algorithm with views of an object as input or output. Throws UsageError for an unfit input.
  std::optional<ScannerDiagram> (*scanner)(const ParamBox&, const Shape& input) = nullptr;
  /// The ray of a detector's pixel; none where there is no such pixel. `voxels` are those of the object.
  std::optional<RayDiagram> (*ray)(const ParamBox&, const HostIn& voxels, int view, int row, int column) = nullptr;
  /// The volume that the result should be equal to, a phantom that the input was made of; none where nobody knows it.
  std::optional<HostArray> (*truth)(const ParamBox&) = nullptr;
  /// Whether it is the same for both: whatever else the input depends on may be changed without making it anew.
  bool (*same_truth)(const ParamBox&, const ParamBox&) = nullptr;
};

/// Of the algorithm with this name; one without anything for all others.
[[nodiscard]] const DiagramInfo& diagrams_of(std::string_view algorithm);

}  // namespace threadscape
