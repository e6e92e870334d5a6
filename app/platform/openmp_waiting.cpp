#include "app/platform/openmp_waiting.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>

namespace threadscape::app {

void choose_openmp_waiting(char** arguments) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  // Once the variable is set, the replaced program returns above.
  if (setenv("GOMP_SPINCOUNT", openmp_spin_count, 0) != 0) return;
  execv("/proc/self/exe", arguments);
}

}  // namespace threadscape::app
