#include <array>

#include "app/cli/command.h"
#include "app/cli/commands/bench.h"
#include "app/cli/commands/info.h"
#include "app/cli/commands/list.h"
#include "app/cli/commands/render.h"
#include "app/cli/commands/run.h"
#include "app/cli/commands/verify.h"
#include "app/cli/commands/view.h"

namespace threadscape::app {

std::span<const Command> commands() {
  static constexpr std::array rows{
      Command{"view", "Open the window (the default)", set_up_view},
      Command{"run", "Run an algorithm: file in, file out", set_up_run},
      Command{"render", "Draw without a display, into a PNG", set_up_render},
      Command{"list", "Algorithms, parameters, backends, variants", set_up_list},
      Command{"info", "CPU, GPU, OpenGL, and the route from a result to the screen", set_up_info},
      Command{"bench", "Measure backends, variants, sizes and threads", set_up_bench},
      Command{"verify", "Check every backend and variant against serial", set_up_verify},
  };
  return rows;
}

}  // namespace threadscape::app
