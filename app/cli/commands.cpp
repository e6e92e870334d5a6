#include <array>

#include "app/cli/command.h"
#include "app/cli/commands/bench.h"
#include "app/cli/commands/compare.h"
#include "app/cli/commands/completion.h"
#include "app/cli/commands/grade.h"
#include "app/cli/commands/info.h"
#include "app/cli/commands/lesson.h"
#include "app/cli/commands/list.h"
#include "app/cli/commands/man.h"
#include "app/cli/commands/microscope.h"
#include "app/cli/commands/render.h"
#include "app/cli/commands/report.h"
#include "app/cli/commands/run.h"
#include "app/cli/commands/verify.h"
#include "app/cli/commands/view.h"

namespace threadscape::app {

std::span<const Command> commands() {
  static constexpr std::array rows{
      Command{"view", "Open the window (the default)", set_up_view},
      Command{"run", "Run an algorithm: file in, file out", set_up_run},
      Command{"render", "Draw without a display, into a picture or an animation", set_up_render},
      Command{"compare", "Say how much two files differ", set_up_compare},
      Command{"list", "Algorithms, parameters, backends, variants, file formats", set_up_list},
      Command{"info", "CPU, GPU, OpenGL, and the route from a result to the screen", set_up_info},
      Command{"bench", "Measure backends, variants, sizes and threads", set_up_bench},
      Command{"report", "One HTML file or PDF of measurements and pictures", set_up_report},
      Command{"verify", "Check every backend and variant against serial", set_up_verify},
      Command{"grade", "Judge sketches and answers of learners for a lesson", set_up_grade},
      Command{"lesson", "Begin, check and export lessons", set_up_lesson},
      Command{"microscope", "Execute a kernel warp by warp without a GPU, and count", set_up_microscope},
      Command{completion_command, "Print the completion script of a shell", set_up_completion},
      Command{"man", "Print the manual page", set_up_man},
  };
  return rows;
}

}  // namespace threadscape::app
