#include "app/cli/cli.h"
#include "app/platform/openmp_waiting.h"
#include "app/report/end_signals.h"
#include "app/session/crash_report.h"
#include "app/session/user_folders.h"

int main(int argc, char** argv) {
  threadscape::app::choose_openmp_waiting(argv);
  threadscape::app::prepare_crash_report(threadscape::app::settings_folder());
  threadscape::app::prepare_end_signals();
  return threadscape::app::run_command_line(argc, argv);
}
