#include "app/cli/cli.h"
#include "app/platform/openmp_waiting.h"

int main(int argc, char** argv) {
  threadscape::app::choose_openmp_waiting(argv);
  return threadscape::app::run_command_line(argc, argv);
}
