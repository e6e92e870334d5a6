#pragma once
// What compilers have made of a sketch for a GPU: PTX and machine code by lines, registers, and the occupancy.

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "compute/run/observation.h"
#include "compute/sketch/sketch_algorithm.h"
#include "compute/warp/occupancy.h"

namespace threadscape::app {

/// Instructions by the line of the source that they belong to. What was inlined belongs to the line that calls, too.
using InstructionsOfLines = std::map<int, std::vector<std::string>>;

/// The lines of a file that an instruction belongs to: where it was written, and then where that was inlined.
[[nodiscard]] std::vector<int> lines_of(const warp::Module& module, const warp::Instruction& instruction,
                                        std::string_view file);
/// The function of a kernel with its counts by instruction; null where they are not known.
[[nodiscard]] const warp::Function* counted_function(const ObservedKernel& kernel);
/// The counts of the lines of a file: of what was written in a line itself, and of what was inlined into it.
[[nodiscard]] std::map<int, warp::Counts> counts_of_lines(const ObservedKernel& kernel, std::string_view file);
[[nodiscard]] bool belongs_to(const warp::Module& module, const warp::Instruction& instruction, std::string_view file,
                              int line);
/// The file that a function was written in: the one that most of its instructions belong to, or their callers do.
[[nodiscard]] std::string file_of(const warp::Module& module, const warp::Function& function);
/// Instructions of PTX whose place is in that file, as `text` has them.
[[nodiscard]] InstructionsOfLines ptx_of_lines(const warp::Module& module, std::string_view text,
                                               std::string_view file);
/// A machine instruction with the lines of a file that it belongs to.
struct PlacedInstruction {
  std::string text;
  std::set<int> lines;
};
/// The machine instructions of the kernel with this symbol, or of all kernels, from what `nvdisasm -c -gi` prints.
[[nodiscard]] std::vector<PlacedInstruction> sass_of(std::string_view disassembly, std::string_view file,
                                                     std::string_view kernel = {});
/// Machine instructions of all kernels by their lines.
[[nodiscard]] InstructionsOfLines sass_of_lines(std::string_view disassembly, std::string_view file);

/// The machine code of a kernel.
struct MachineCode {
  std::vector<PlacedInstruction> instructions;
  std::string why_none;  ///< A sentence, where there are none.
};
/// Disassembles a kernel of the program, or one of a sketch where `live` is not null, for a GPU. `file` is the one
/// whose lines are wanted. Takes as long as ptxas takes, 20 s at most.
[[nodiscard]] MachineCode machine_code(const warp::Module& module, const std::string& kernel, sketch::LiveSketch* live,
                                       const warp::GpuModel& gpu, const std::string& file,
                                       const std::stop_token& stop = {});

/// A kernel as the passes of a sketch launch it first.
struct KernelResources {
  std::string name;
  warp::BlockResources block;
  warp::Occupancy occupancy;
};

struct LineCode {
  const warp::GpuModel* gpu = nullptr;
  int architecture = 0;  ///< What was compiled for, 90 for sm_90: the nearest that the compiler knows.
  std::vector<KernelResources> kernels;
  InstructionsOfLines ptx, sass;
  std::string why_no_sass;  ///< A sentence, where there is none.
  std::string problem;      ///< Why there is nothing at all; "" otherwise.
};

/// Compiles the sketch for a GPU and looks at the result. `input` has any colours and numbers that the sketch takes.
/// What does not work out is in the result. Takes tenths of a second.
[[nodiscard]] LineCode line_code(sketch::LiveSketch& live, const std::vector<sketch::Value>& values, const Shape& input,
                                 const warp::GpuModel& gpu, const std::stop_token& stop = {});

/// Looks for the code of the latest version that was asked for, on a thread of its own.
class LineCodeFinder {
 public:
  struct Wanted {
    std::shared_ptr<sketch::LiveSketch> live;
    std::vector<sketch::Value> values;
    Shape input;
    const warp::GpuModel* gpu = nullptr;
    bool operator==(const Wanted&) const = default;
  };

  LineCodeFinder() = default;
  LineCodeFinder(const LineCodeFinder&) = delete;
  LineCodeFinder& operator=(const LineCodeFinder&) = delete;
  ~LineCodeFinder() { stop_.request_stop(); }

  /// Begins to look, unless that was asked for last, and takes what was found. `wake` is called from the thread.
  void follow(const Wanted& wanted, const std::function<void()>& wake);
  /// What was found last; null before.
  [[nodiscard]] const LineCode* found() const { return found_ ? &*found_ : nullptr; }
  [[nodiscard]] bool running() const { return thread_.valid(); }
  /// Ends what is under way, which follow() begins again.
  void stop();
  /// Forgets what was found, too.
  void clear();

 private:
  Wanted wanted_;  ///< What was begun last.
  std::stop_source stop_;
  std::future<LineCode> thread_;
  bool outdated_ = false;  ///< What the thread finds is not wanted any more.
  std::optional<LineCode> found_;
};

}  // namespace threadscape::app
