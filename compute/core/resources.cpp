#include "compute/core/resources.h"

#include <system_error>

namespace threadscape {

namespace fs = std::filesystem;

fs::path installed_folder() {
  static const fs::path folder = [] {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return fs::path();
    fs::path share = program.parent_path().parent_path() / "share" / "threadscape";
    return fs::is_directory(share, error) ? share : fs::path();
  }();
  return folder;
}

fs::path asset_folder() {
  const fs::path installed = installed_folder();
  return installed.empty() ? fs::path(TS_ASSET_DIR) : installed / "assets";
}

fs::path report_folder() {
  const fs::path installed = installed_folder();
  return installed.empty() ? fs::path(TS_ASSET_DIR).parent_path() / "docs" / "benchmarks" : installed / "reports";
}

}  // namespace threadscape
