#include "app/cli/cli.h"

int main(int argc, char** argv) {
  return threadscape::app::run_command_line(argc, argv);
}
