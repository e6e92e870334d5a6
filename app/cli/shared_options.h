#pragma once
// Groups of options that several commands share. Each add_...() function declares a group on a command's parser;
// parsing writes into the given struct, which must live as long as the parser.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/session/run_options.h"
#include "app/session/session_file.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI
namespace threadscape::interop {
enum class Route : std::uint8_t;
}

namespace threadscape::app {

enum class Theme : std::uint8_t;

/// The options of the commands that draw: `view` in a window, `render` without one.
struct DisplayOptions {
  /// Algorithm and parameters. For `view`, an empty `algorithm` means the one used last, else the first of the
  /// registry.
  AlgorithmOptions run;
  /// Input file; "" = none, for which `view` shows the picture used last, else a sample.
  std::filesystem::path input;
  io::LoadOptions load;
  std::optional<interop::Route> route;  ///< Route by which results reach the screen; unset = chosen by probe_route().
  std::optional<Theme> theme;           ///< Colours of the interface; unset = the theme used last, else dark.
  float ui_scale = 0.0f;                ///< Pixels per point of the interface; 0 = the monitor's content scale.
};

/// Adds --limit, which changes limits of io::limit_rows() while the command line is parsed. Returns the option.
CLI::Option* add_limits(CLI::App& app);
/// Adds --limit, --max-pixels, --allow-outside, --depth, --decoder, --normals, --axis, --water and --energy.
void add_load_options(CLI::App& app, io::LoadOptions& load);
/// Adds --quality, of pictures in formats with losses (io::save_picture()).
void add_quality(CLI::App& app, int& quality);
/// Adds an option NAME=VALUE that may be given several times. `sets` gets the pairs in their order.
CLI::Option* add_sets(CLI::App& app, const char* name, std::vector<std::pair<std::string, std::string>>& sets,
                      const char* help);
/// Adds --device, the number of a device of the CUDA backend as `info` lists it.
CLI::Option* add_device(CLI::App& app, FindDevices find_devices, gpu::Device*& device);
/// Adds --devices, numbers of such devices that are separated by commas. `device` gets the first one, and `devices` all
/// if there are several.
CLI::Option* add_devices(CLI::App& app, FindDevices find_devices, gpu::Device*& device,
                         std::vector<gpu::Device*>& devices);
/// Adds --backend, --device, --variant, --threads, --set, --preset and --seed.
void add_algorithm_options(CLI::App& app, FindDevices find_devices, AlgorithmOptions& options);
/// Adds --backends, a list of names that are separated by commas.
void add_backends(CLI::App& app, std::vector<Backend>& backends, const char* help);
/// Adds the options of an algorithm and of its input, --route, --theme and --ui-scale.
void add_display_options(CLI::App& app, FindDevices find_devices, DisplayOptions& options);

/// Prints io::Loaded::note as a line on stderr, unless it is empty or `quiet` is set.
void print_note(const std::string& note, bool quiet);

/// Completes the options by what a session states, for options that the command line does not state. The session's
/// files and view are left to the caller.
void add_session(DisplayOptions& options, const Session& session);

/// Text below the options in the help of a command that takes the algorithm `name`: its parameters, or for "" and for
/// an unknown name the list of algorithms.
[[nodiscard]] std::string algorithm_help(const std::string& name);

}  // namespace threadscape::app
