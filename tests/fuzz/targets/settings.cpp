// The settings of the window: restored, saved, and restored again.

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "app/shell/settings.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

namespace {

std::string saved(const app::Settings& settings, app::LogBook& log) {
  app::save_settings(settings, log);
  std::ifstream file(scratch_path("threadscape/settings.json"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

FUZZ_TARGET(settings) {
  static const bool prepared = [] {
    std::filesystem::create_directories(scratch_path("threadscape"));
    return setenv("XDG_CONFIG_HOME", scratch_path("").c_str(), 1) == 0;
  }();
  expect(prepared, "no folder for settings");
  scratch_file("threadscape/settings.json", input.bytes());
  app::Workspace workspace;
  const app::Settings settings = app::load_settings(workspace.log);
  app::restore_work(workspace, settings);
  workspace.refresh();
  (void)workspace.problem();

  app::LogBook log;
  const std::string first = saved(settings, log);
  if (!log.entries().empty()) return;  // What cannot be saved is said there.
  note_result(first);
  const std::string second = saved(app::load_settings(log), log);
  expect(first == second, "settings are read back otherwise");
}

}  // namespace threadscape::fuzz
