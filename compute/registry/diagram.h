#pragma once
// Optional descriptions of how an algorithm works, for the scenes to draw: which values are combined, not the values
// themselves. An algorithm with diagrams has a file <name>_diagram.cpp, which CMake finds:
//
//   DiagramInfo describe_<name>_diagram();

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/registry/facets/pipeline.h"
#include "compute/registry/facets/scanner.h"
#include "compute/registry/facets/seams.h"
#include "compute/registry/facets/truth.h"

namespace threadscape {

/// A comparison network. Every stage compares pairs of places; the smaller value of a pair is stored at `lower`, the
/// other one at `upper`. Of a pair that is sorted in descending order, `lower` is the place behind `upper`.
struct NetworkDiagram {
  struct Exchange {
    int lower = 0, upper = 0;
  };
  struct Stage {
    std::string title;
    std::vector<Exchange> exchanges;
  };
  std::string title;  ///< Name of the network, for example "bitonic network".
  int places = 0;
  std::vector<Stage> stages;
  int done = 0;                                 ///< Number of stages that were applied to the result.
  std::vector<std::string_view> variants = {};  ///< Names of the variants, on any backend, that sort by this network.
};

/// How a block of CUDA threads combines many values, to one or to all prefix sums: the threads that work in each step,
/// and the places that they access.
struct TreeDiagram {
  /// `thread` combines the value at `target` with that at `source`; both are places in shared memory, or lanes.
  struct Combination {
    int thread = 0, target = 0, source = 0;
    bool exchange = false;  ///< If true, the value that was at `target` is at `source` afterwards.
  };
  struct Step {
    std::string title;
    std::vector<Combination> working;
    int cleared = -1;            ///< The place whose value becomes 0 before the step; -1 for none.
    bool block_barrier = false;  ///< If true, the step ends with a barrier of the block.
    bool in_registers = false;   ///< If true, the values are in registers, not in shared memory.
    int warps_working = 0, warps_diverging = 0;
    int wavefronts = 0, conflicts = 0;  ///< Counts of accesses to shared memory, as on a GPU.
    int bank_conflict = 0;              ///< Degree of the worst bank conflict (serialized accesses); 1 for none.
  };
  std::string title;  ///< Name of the kernel, and a short description.
  int threads = 0, warp_threads = 32, banks = 32;
  int value_words = 1;      ///< Size of a value in 4-byte words, of which each belongs to one bank.
  bool all_needed = false;  ///< If true, every place has a result of its own at the end, not only the first one.
  int loads = 1;  ///< Values that a thread combines before the first step; 0 for a number that depends on the input.
  std::vector<Step> steps;
};

/// The words of memory that the threads of a warp read in one instruction.
struct AccessDiagram {
  std::string title;                ///< Name of the pattern, and a short description.
  std::string memory;               ///< What a row and a column of the picture of the memory are.
  std::string result;               ///< What the reads cost, for example "4 sectors of 32 bytes for 128 bytes".
  std::string on_first_devices;     ///< What they cost on compute capability 1.x; "" if that has no such memory.
  std::vector<std::int64_t> words;  ///< The word of 4 bytes that each lane reads; empty if the lanes read no memory.
  /// Neighbouring words that are fetched together if one of them is read; 1 if words are fetched alone.
  int fetched_together = 1;
  int turns = 1;  ///< How many times the memory is accessed, one after another, for the instruction.
};

/// Which thread of a CUDA launch computes which cell of a square matrix.
struct LaunchDiagram {
  /// The thread with these coordinates in the launch computes the cell in column x and row y.
  struct Work {
    int thread_x = 0, thread_y = 0, x = 0, y = 0;
  };
  std::string title;  ///< Name of the kernel, and a short description.
  std::string step;   ///< The step of the algorithm that the launch computes.
  int side = 0;       ///< Cells of the matrix in a row or a column.
  int block_width = 1, block_height = 1, blocks_x = 1, blocks_y = 1;  ///< Threads of a block, and blocks of the launch.
  std::vector<bool> known;    ///< For each cell, row by row, whether its value is known before the launch.
  std::vector<Work> working;  ///< The threads that have work.
};

/// What a block of threads of a CUDA kernel copies to shared memory: the pixels of the block and a halo around them.
/// Thread (i, j) copies the columns i, i + block_width, ... of the rows j, j + block_height, ...
struct TileDiagram {
  std::string title;                              ///< Name of the kernel, and a short description.
  int block_width = 1, block_height = 1;          ///< Threads of a block, of which each computes a pixel.
  int left = 0, right = 0, above = 0, below = 0;  ///< Widths of the halo in pixels.
  int value_bytes = 1;                            ///< Size of a value in shared memory.
  int window_values = 1;                          ///< Values that each thread reads from the tile.
  std::string copied;  ///< How often the tile is copied, for example "once for each channel".

  [[nodiscard]] int width() const { return left + block_width + right; }
  [[nodiscard]] int height() const { return above + block_height + below; }
  [[nodiscard]] int values() const { return width() * height(); }
  [[nodiscard]] int bytes() const { return values() * value_bytes; }
  /// Values that the first thread of the block copies; no other one copies more.
  [[nodiscard]] int most_copied() const {
    return ((width() - 1) / block_width + 1) * ((height() - 1) / block_height + 1);
  }
};

/// Facts about a single number, the result of a reduction of a sequence.
struct ScalarNote {
  std::string title;                  ///< Name of the number, for example "sum of 4194304 int32".
  std::string number;                 ///< The result as text.
  std::string detail;                 ///< An additional line of text; "" for none.
  std::optional<double> level;        ///< Value at which a horizontal line is drawn.
  std::string level_title;            ///< Label of the line at `level`, for example "mean 3.5".
  std::optional<std::int64_t> place;  ///< Index of the value that is the result, if known.
  /// If true, the result is one of the values, so that its first occurrence in the sequence can be marked.
  bool is_value = false;
};

/// The diagrams of an algorithm; empty or null for those that it does not have.
struct DiagramInfo {
  /// The comparisons that lead to the result; none if the input is too long to be drawn.
  std::optional<NetworkDiagram> (*network)(const ParamBox&, const Shape& input) = nullptr;
  /// The steps of a CUDA variant in a block of `threads` threads, a power of two; none for variants without such steps.
  std::optional<TreeDiagram> (*tree)(const ParamBox&, int variant, int threads) = nullptr;
  /// The reads of the first warp.
  AccessDiagram (*access)(const ParamBox&) = nullptr;
  /// The launch of a CUDA variant for the last step that these parameters ask for; none for variants whose launches
  /// compute several steps.
  std::optional<LaunchDiagram> (*launch)(const ParamBox&, int variant) = nullptr;
  /// The tile of a block of a CUDA variant for an input of this shape; none for variants without a tile.
  std::optional<TileDiagram> (*tile)(const ParamBox&, const Shape& input, int variant) = nullptr;
  /// Describes a result of Kind::scalar.
  ScalarNote (*note)(const ParamBox&, const Shape& input, const HostIn& result) = nullptr;
  std::optional<SeamsFacet> seams;
  std::optional<ScannerFacet> scanner;
  std::optional<TruthFacet> truth;
  std::optional<PipelineFacet> pipeline;
};

struct AlgorithmInfo;

/// The diagrams of an algorithm; an empty DiagramInfo if it has none.
[[nodiscard]] const DiagramInfo& diagrams_of(const AlgorithmInfo& algorithm);

}  // namespace threadscape
