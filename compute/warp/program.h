#pragma once
// A kernel that is decoded with all that it calls, and kept for the launches that follow.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "compute/warp/code.h"
#include "compute/warp/machine.h"

namespace threadscape::warp {

/// A kernel, the functions that it calls, and the places of their variables. Launches do not change it.
struct Program {
  std::vector<std::unique_ptr<Code>> codes;  ///< By the number of the function; null if nothing calls it.
  const Code* kernel = nullptr;
  std::uint32_t operations = 0;  ///< The number of operations of all functions together.

  /// A variable of the module that each launch makes.
  struct Own {
    const Variable* variable = nullptr;
    std::uint64_t address = 0;
  };
  std::vector<Own> own;
  /// An address in the initial bytes of such a variable.
  struct Reference {
    std::size_t own = 0;
    std::uint64_t at = 0, value = 0;
  };
  std::vector<Reference> references;
  std::uint64_t shared_bytes = 0;       ///< Of the variables in shared memory.
  std::uint64_t dynamic_shared_at = 0;  ///< Where the shared memory begins whose size a launch states.
  std::uint64_t local_bytes = 0;        ///< Bytes of local memory of a thread.
};

/// The kernels of modules that stay in memory, decoded. Threads may share it.
class Programs {
 public:
  /// The program of that kernel, whose module's variables are at `given`: by their order in the module, 0 for those
  /// that each launch makes.
  std::shared_ptr<const Program> find(const Module& module, const Function& kernel,
                                      const std::vector<std::uint64_t>& given);

 private:
  struct Kept {
    std::vector<std::uint64_t> given;
    std::shared_ptr<const Program> program;
  };
  std::mutex mutex_;
  std::map<const Function*, Kept> kept_;
};

/// The program of the kernel of a launch, from its Programs if it has some.
[[nodiscard]] std::shared_ptr<const Program> program_of(const LaunchRequest& request, const Function& kernel);

}  // namespace threadscape::warp
