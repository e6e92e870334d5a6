#pragma once
// NVRTC, NVIDIA's compiler of CUDA C++ as a library. It is opened at run time, and needs neither a GPU nor a driver.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "compute/warp/host_code.h"

namespace threadscape::warp {

/// Where NVRTC's library may be, the first choice first: files and names for the loader. These are the file or folder
/// in THREADSCAPE_NVRTC, what the loader finds, the CUDA Toolkit, and the package nvidia-cuda-nvrtc of the Python
/// index.
[[nodiscard]] std::vector<std::filesystem::path> nvrtc_candidates();

/// The folder of the CUDA Toolkit's headers, for example those of fp16; empty where there is none.
[[nodiscard]] std::filesystem::path toolkit_headers();

/// The exit code of threadscape-nvrtc (compute/warp/compiler) where the library is not found.
inline constexpr int nvrtc_not_found = 3;

/// A header that a source may include by its name.
struct NamedHeader {
  const char* name;
  const char* text;
};

/// What NVRTC made of a source.
struct NvrtcResult {
  bool compiled = false;
  std::string log;      ///< Errors and warnings.
  std::string ptx;      ///< Empty if nothing was compiled.
  std::string cubin;    ///< Machine code as an ELF file; empty for virtual architectures and old libraries.
  std::string version;  ///< "13.0"
  /// The name in PTX of each expression that was asked for.
  std::vector<std::pair<std::string, std::string>> names;
};

/// An opened library. It stays open until the process ends.
class Nvrtc {
 public:
  /// Opens the first candidate that is NVRTC. Without one, opened() is false.
  Nvrtc();
  [[nodiscard]] bool opened() const { return library_ != nullptr; }

  /// The largest architecture that the library knows of those up to `capability`, for example 90 for compute capability
  /// 9.0; the smallest one if all are larger.
  [[nodiscard]] int architecture_for(int capability) const;

  /// Compiles a source. `expressions` name instances of templates, which are compiled though nothing calls them;
  /// `empty` are names of headers that count as empty.
  [[nodiscard]] NvrtcResult compile(const std::string& source, const std::string& name,
                                    const std::vector<std::string>& options,
                                    const std::vector<std::string>& expressions,
                                    const std::vector<std::string>& empty = {}) const;

 private:
  template <class Function>
  [[nodiscard]] Function find(const char* name) const;
  void* library_ = nullptr;
};

/// The places in a log where NVRTC refuses host functions, and names of the standard library in their heads.
[[nodiscard]] std::vector<SourcePlace> refused_host_functions(const std::string& log);

/// The name of a header between angle brackets that a log says is missing; "" if none is.
[[nodiscard]] std::string missing_header(const std::string& log);

}  // namespace threadscape::warp
