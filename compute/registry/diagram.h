#pragma once
// What an algorithm may tell about its inner workings, for the scenes to draw: which values are combined with which,
// not what they are. An algorithm that has something to tell has a file <name>_diagram.cpp, which CMake finds:
//
//   DiagramInfo describe_<name>_diagram();

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/registry/facets/scanner.h"
#include "compute/registry/facets/seams.h"
#include "compute/registry/facets/truth.h"

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

/// What an algorithm tells; empty or null where it has nothing to tell.
struct DiagramInfo {
  /// The comparisons that lead to the result; nothing for inputs too long to be looked at.
  std::optional<NetworkDiagram> (*network)(const ParamBox&, const Shape& input) = nullptr;
  /// The steps of a CUDA variant within a block of `threads` threads, a power of two; nothing for variants without any.
  std::optional<TreeDiagram> (*tree)(const ParamBox&, int variant, int threads) = nullptr;
  /// About a result of Kind::scalar.
  ScalarNote (*note)(const ParamBox&, const Shape& input, const HostIn& result) = nullptr;
  std::optional<SeamsFacet> seams;
  std::optional<ScannerFacet> scanner;
  std::optional<TruthFacet> truth;
};

/// The diagrams of the algorithm with this name; a DiagramInfo without any for unknown names and for algorithms that
/// have nothing to tell.
[[nodiscard]] const DiagramInfo& diagrams_of(std::string_view algorithm);

}  // namespace threadscape
