#include "compute/core/parameter_file.h"

#include <array>
#include <string>

#include "compute/core/errors.h"

namespace threadscape {

namespace {

constinit std::array<ParameterFileReader, 2> parameter_file_readers{};

}  // namespace

bool provide_parameter_files(ParameterFile content, ParameterFileReader reader) {
  parameter_file_readers[static_cast<std::size_t>(content)] = reader;
  return true;
}

HostArray read_parameter_file(ParameterFile content, const std::filesystem::path& path) {
  const ParameterFileReader reader = parameter_file_readers[static_cast<std::size_t>(content)];
  if (reader == nullptr)
    throw EnvironmentError("cannot read '" + path.string() + "': this program is linked without readers of files");
  return reader(path);
}

}  // namespace threadscape
