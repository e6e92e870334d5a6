// Builds without Assimp read no files of models.

#include "compute/io/meshes/mesh_file.h"

namespace threadscape::io {

bool reads_models() {
  return false;
}

Loaded load_model(const std::filesystem::path& path, const LoadOptions& /*options*/, const MeshLimits& /*limits*/) {
  throw EnvironmentError("cannot read '" + path.string() +
                         "': this build has no reader of models; install libassimp-dev and build again");
}

}  // namespace threadscape::io
