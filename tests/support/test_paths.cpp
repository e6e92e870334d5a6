#include "tests/support/test_paths.h"

namespace threadscape {

std::string source_dir() {
  return TS_SOURCE_DIR;
}
std::string test_dir() {
  return TS_TEST_DIR;
}
std::string test_output_dir() {
  return TS_TEST_OUTPUT_DIR;
}

}  // namespace threadscape
