// Session files: opened, written, and read again.

#include <algorithm>

#include "app/session/session_file.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(sessions) {
  const std::filesystem::path file = scratch_file("fuzz.threadscape.json", input.bytes());
  const app::Session session = app::load_session(file);
  app::Workspace workspace;
  app::apply_session(workspace, session);
  (void)app::existing_inputs(session, workspace.log);
  workspace.refresh();
  (void)workspace.problem();

  const std::string first = app::session_text(session, file.parent_path());
  note_result(first);
  scratch_file("fuzz.threadscape.json", std::as_bytes(std::span(first)));
  const std::string second = app::session_text(app::load_session(file), file.parent_path());
  expect(first == second, "a session is read back otherwise: " + first);
}

}  // namespace threadscape::fuzz
