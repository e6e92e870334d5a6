// Uses the window at random for a long time: algorithms, backends, parameters, mouse, keys, sizes and files.
// scripts/soak builds and runs it.
//
//   soak SECONDS [SEED] [ACTIONS]
//
// All actions follow from the seed, so that a run can be repeated: the file soak-SEED.txt in the current folder has one
// line for each, and soak-SEED-slow.txt one for each frame over 250 ms without a progress bar, or over 1000 ms with
// one: its action, what was chosen, and where its time went. The exit code is 1 if OpenGL reports an error, if an
// exception leaves the window, or if memory grows by more than 5 %: that of the process or of the CUDA device after the
// first fifth of the time, or what drivers have mapped beyond the most that they had at the end of an earlier fifth.

#include <imgui.h>
#include <imgui_internal.h>
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/platform/free_memory.h"
#include "app/scenes/seams/seams_scene.h"
#include "app/shell/window.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "render/gl/framebuffer.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double mebibyte = 1048576;

/// What this process holds, in MiB.
struct Memory {
  /// Pages in memory. What the allocator keeps for later is given back before. Pages of programs and libraries are not
  /// counted: the system reads them from their files when they are needed, and drops them when it likes.
  double resident = 0;
  /// Pages in memory that the drivers of the GPU have mapped from the files of their devices. NVIDIA's changes them by
  /// up to 64 MiB in both directions while the heap hardly changes.
  double drivers = 0;
  double allocated = 0;  ///< Blocks of malloc() that are not freed.
  double device = 0;     ///< Memory of the CUDA device that is in use, by all programs; 0 without one.
};

/// Memory::resident and Memory::drivers of this process.
std::pair<double, double> resident_and_drivers() {
  std::ifstream file("/proc/self/smaps");
  double own = 0, drivers = 0;
  double* counted = nullptr;  // Null in the mapping of a regular file.
  // Each mapping is a line "BEGIN-END PERMISSIONS OFFSET DEVICE INODE [NAME]", and lines "WORD: NUMBER kB" that follow.
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string range, permissions, offset, device, inode, name;
    words >> range >> permissions;
    if (range == "Rss:" && counted != nullptr) *counted += std::atof(permissions.c_str()) / 1024;
    if (range.back() == ':') continue;
    words >> offset >> device >> inode >> name;
    counted = name.starts_with("/dev/") ? &drivers : name.starts_with('/') ? nullptr : &own;
  }
  return {own, drivers};
}

Memory memory_now() {
  return_free_memory();
  const struct mallinfo2 blocks = mallinfo2();
  gpu::Device& device = gpu::devices().first();
  const std::size_t used = device.available() ? device.info().total_bytes - device.free_bytes() : 0;
  const auto [resident, drivers] = resident_and_drivers();
  return {.resident = resident,
          .drivers = drivers,
          .allocated = static_cast<double>(blocks.uordblks + blocks.hblkhd) / mebibyte,
          .device = static_cast<double>(used) / mebibyte};
}

/// Times since `begin` in milliseconds: by the clock, and of the processor for this thread and for all of this process.
struct Times {
  double clock = 0, thread = 0, process = 0;
};

double processor_ms(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

Times times_now() {
  const std::chrono::duration<double, std::milli> clock = Clock::now().time_since_epoch();
  return {clock.count(), processor_ms(CLOCK_THREAD_CPUTIME_ID), processor_ms(CLOCK_PROCESS_CPUTIME_ID)};
}

class Soak {
 public:
  Soak(std::unique_ptr<Platform> platform, std::uint64_t seed, const std::filesystem::path& folder)
      : random_(seed),
        actions_("soak-" + std::to_string(seed) + ".txt"),
        slow_frames_("soak-" + std::to_string(seed) + "-slow.txt"),
        platform_(std::move(platform)),
        shaders_(gl::ShaderLibrary::source_folder()),
        route_(interop::probe_route(platform_->context(), gpu::devices().first())),
        live_(route_, [this] { platform_->wake(); }),
        window_(*platform_, shaders_, workspace_, live_, machine_facts(platform_->context(), route_), {}, {}),
        folder_(folder) {
    platform_->context().set_message_sink([this](gl::Severity severity, std::string_view text) {
      if (severity == gl::Severity::error) fail("OpenGL: " + std::string(text));
    });
    window_.files().set_folder(folder_);
    write_files();
  }

  /// Acts until the time is over or the number of actions is reached. Returns the exit code.
  int run(double seconds, std::int64_t actions) {
    const auto begin = Clock::now();
    const auto share = [&] {
      const std::chrono::duration<double> passed = Clock::now() - begin;
      return std::max(passed.count() / seconds, static_cast<double>(count_) / static_cast<double>(actions));
    };
    compile_shaders();
    visit_all();
    std::vector<Memory> memory;
    for (int fifth = 1; fifth <= 5 && failures_ == 0; ++fifth) {
      while (share() < 0.2 * fifth && failures_ == 0)
        act();
      memory.push_back(memory_at_rest());
      const Memory& part = memory.back();
      std::printf(
          "soak: at rest after %lld actions %.1f MiB in memory, %.1f MiB allocated, %.1f MiB mapped by drivers, %.0f "
          "MiB "
          "of the device\n",
          static_cast<long long>(count_), part.resident, part.allocated, part.drivers, part.device);
      std::fflush(stdout);
    }
    if (memory.empty()) return 1;
    const std::chrono::duration<double> passed = Clock::now() - begin;
    std::printf(
        "soak: %lld actions and %lld frames in %.0f s, longest frame %.0f ms, %lld frames over 250 ms without a "
        "progress bar, %d errors\n",
        static_cast<long long>(count_), static_cast<long long>(frames_), passed.count(), longest_,
        static_cast<long long>(slow_), failures_);
    check_growth("memory", "the first fifth", memory.front().resident, memory.back().resident);
    check_growth("memory of the device", "the first fifth", memory.front().device, memory.back().device);
    const auto most = std::max_element(memory.begin(), std::max(memory.begin() + 1, memory.end() - 1),
                                       [](const Memory& a, const Memory& b) { return a.drivers < b.drivers; });
    check_growth("memory mapped by drivers", "the most before", most->drivers, memory.back().drivers);
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void check_growth(const char* what, const char* since, double before, double after) {
    if (before == 0) return;
    const double growth = (after / before - 1) * 100;
    std::printf("soak: %s %+.1f %% from %s to the last fifth\n", what, growth, since);
    if (growth > 5) fail(std::string(what) + ": it has grown by more than 5 %");
  }

  std::size_t any(std::size_t count) { return random_() % count; }

  void fail(const std::string& what) {
    ++failures_;
    std::fprintf(stderr, "soak: action %lld: %s\n", static_cast<long long>(count_), what.c_str());
  }
  void note(const std::string& what) {
    action_ = std::to_string(count_) + " " + what;
    actions_ << action_ << std::endl;
  }

  /// Draws at least `frames` frames, and more until what was chosen is shown, for at most 3 s.
  void show(int frames) {
    const auto limit = Clock::now() + std::chrono::seconds(3);
    const auto waits = [this] { return !live_.settled(workspace_) || window_.preparing(); };
    for (int i = 0; i < frames || (waits() && Clock::now() < limit); ++i)
      frame();
  }

  void assign(std::string_view parameter, const std::string& value) { workspace_.set_parameter(parameter, value); }
  /// Calls `act` for every scene that can show what the current algorithm makes, after it was chosen. Then the default
  /// scene is chosen.
  template <class Act>
  void in_all_scenes(Act act) {
    const std::vector<const SceneType*> types = SceneSet::choices(*workspace_.work().algorithm);
    for (const SceneType* type : types) {
      window_.scenes().choose(*type);
      act(*type);
    }
    window_.scenes().choose(*types.front());
  }
  /// Shows what the current algorithm makes in all ways of all scenes.
  void show_in_all_ways() {
    in_all_scenes([this](const SceneType& type) {
      show(1);
      const int before = window_.scene().shown();
      for (std::size_t way = 0; way < type.shows.size(); ++way) {
        window_.scene().show(static_cast<int>(way));
        show(1);
      }
      window_.scene().show(before);
    });
  }

  /// Shows pictures and volumes of many kinds. Mesa's software renderer compiles a shader for each kind of texture,
  /// that is for each format, and for each side by whether it is a power of two, and keeps about 40 kB for each. Of
  /// these it had 160 after 20,000 random actions and 250 after 60,000.
  void compile_shaders() {
    for (const auto& [element, channels] :
         {std::pair{Element::u8, 1}, {Element::u8, 4}, {Element::f32, 1}, {Element::f32, 4}})
      for (const int width : {64, 96})
        for (const int height : {64, 96}) {
          workspace_.choose_algorithm(find_algorithm("sobel"));
          workspace_.set_source("picture", {.pixels = make_synthetic(InputPattern::photo,
                                                                     Shape::image(element, channels, width, height), 1),
                                            .colour = channels == 1 ? io::FileColour::grey : io::FileColour::rgb});
          show_in_all_ways();
          show_pictures_in_all_looks();
          workspace_.choose_algorithm(find_algorithm("seam_carving"));
          show_in_all_ways();
        }
    workspace_.choose_algorithm(find_algorithm("projection"));
    if (workspace_.can_close()) workspace_.close();
    workspace_.reset_parameters();
    assign("geometry", "parallel");
    for (const char* x : {"8", "6"})
      for (const char* y : {"8", "6"})
        for (const char* z : {"8", "6"}) {
          assign("voxels", x);
          assign("voxels_y", y);
          assign("voxels_z", z);
          assign("detector_pixels", x);
          assign("detector_rows", y);
          assign("step", *z == '8' ? "30" : "15");  // 4 or 7 views
          show_in_all_ways();
        }
    workspace_.reset_parameters();
  }

  /// Shows a picture magnified and reduced, by whole numbers and others, interpolated or not, with and without a curve
  /// of brightness: image.frag is compiled for each.
  void show_pictures_in_all_looks() {
    window_.scenes().choose(find_scene("image", *workspace_.work().algorithm));
    show(1);
    ParamBox& look = *window_.scene().settings();
    const ParamBox before = look;
    for (const char* gamma : {"1", "2"})
      for (const char* smooth : {"false", "true"})
        for (const char* zoom : {"2", "1.5", "0.5", "0.2"}) {
          look.assign("gamma", gamma);
          look.assign("smooth", smooth);
          look.assign("zoom", zoom);
          show(1);
        }
    look = before;
  }

  /// Shows every algorithm with its own input and default parameters, by every backend and every variant on CUDA, and
  /// in every scene, before the memory is measured: scenes keep their shaders and the last result that they have shown,
  /// and CUDA the kernels that it has loaded.
  void visit_all() {
    for (const AlgorithmInfo& algorithm : algorithms()) {
      workspace_.choose_algorithm(algorithm);
      if (workspace_.can_close()) workspace_.close();
      workspace_.reset_parameters();
      // Sequences are short: with software OpenGL one of 32 MiB was still allocated when another algorithm was shown.
      for (const FieldRef& field : workspace_.work().params.fields())
        if (field.name == "count") assign(field.name, "4096");
      // The maps of the two surroundings of meshes are constants of 1.5 MiB each, made when they are first chosen.
      if (algorithm.name == "rasterize")
        for (const char* environment : {"sky", "room", "none"}) {
          assign("environment", environment);
          show(3);
        }
      show(5);
      in_all_scenes([this](const SceneType&) { show(3); });
      if (!algorithm.cuda || !gpu::devices().first().available()) continue;
      for (std::size_t variant = 0; variant < algorithm.variants_of(Backend::cuda).size(); ++variant) {
        workspace_.choose_backend(Backend::cuda);
        workspace_.choose_variant(static_cast<int>(variant));
        show(2);
      }
    }
  }

  void write_files() {
    io::save_picture(folder_ / "photo.png", threadscape::testing::test_photo().pixels.view(), io::FileColour::rgb);
    io::save_picture(folder_ / "grey.pgm",
                     make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 640, 480), 1).view(),
                     io::FileColour::grey);
    std::ofstream(folder_ / "broken.png") << "no picture";
  }

  void frame(std::vector<std::filesystem::path> dropped = {}) {
    const Times begin = times_now();
    const bool shows_progress = live_.busy() || live_.files().busy() || window_.preparing();
    Input input = platform_->poll(false);
    input.dropped = std::move(dropped);
    if (input.width <= 0 || input.height <= 0) return;
    if (frame_.id() == 0 || frame_.width() != input.width || frame_.height() != input.height)
      frame_ = gl::Framebuffer(input.width, input.height);
    live_.update(workspace_);
    const Times updated = times_now();
    window_.frame(input, frame_);
    const Times drawn = times_now();
    platform_->present(frame_);
    window_.note_shown();
    if (window_.advance()) live_.update(workspace_);
    const Times end = times_now();
    ++frames_;
    const double passed = end.clock - begin.clock;
    longest_ = std::max(longest_, passed);
    if (passed > 250 && !shows_progress) ++slow_;
    if (passed <= (shows_progress ? 1000 : 250)) return;
    std::array<char, 500> line{};
    const auto shape_of = [](const gl::Resource* resource) {
      return resource != nullptr ? to_string(resource->shape()) : std::string("nothing");
    };
    std::snprintf(line.data(), line.size(),
                  "%.0f ms with%s a progress bar (update %.0f, draw %.0f, present %.0f), of the processor %.0f in this "
                  "thread and %.0f in all; frame %lld, %dx%d, %s of %s on %s gives %s, after the action %s\n",
                  passed, shows_progress ? "" : "out", updated.clock - begin.clock, drawn.clock - updated.clock,
                  end.clock - drawn.clock, end.thread - begin.thread, end.process - begin.process,
                  static_cast<long long>(frames_), input.width, input.height,
                  std::string(workspace_.work().algorithm->name).c_str(), shape_of(live_.input()).c_str(),
                  std::string(name_of(workspace_.work().backend)).c_str(), shape_of(live_.output()).c_str(),
                  action_.c_str());
    slow_frames_ << line.data() << std::flush;
  }

  void act() {
    ++count_;
    try {
      choose_action();
      frame();
      frame();
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  void choose_action() {
    switch (any(12)) {
      case 0:
        return choose_algorithm();
      case 1:
        return choose_backend();
      case 2:
      case 3:
        return change_parameter();
      case 4:
        return resize();
      case 5:
        return drop();
      case 6:
        return press();
      case 7:
        return paint();
      case 8:
        return go_back();
      case 9:
        return any(4) == 0 ? reset_layout() : move_mouse();
      default:
        return move_mouse();
    }
  }

  void choose_algorithm() {
    const AlgorithmInfo& algorithm = algorithms()[any(algorithms().size())];
    note("algorithm " + std::string(algorithm.name));
    workspace_.choose_algorithm(algorithm);
  }
  void choose_backend() {
    const Backend backend = backends[any(backends.size())];
    const int variant = static_cast<int>(any(4));
    note("backend " + std::string(name_of(backend)) + " variant " + std::to_string(variant));
    if (workspace_.why_absent(backend).empty()) workspace_.choose_backend(backend);
    workspace_.choose_variant(variant);
  }
  /// Sets a parameter near the lower end of its range, so that no run takes minutes.
  void change_parameter() {
    const std::vector<FieldRef> fields = workspace_.work().params.fields();
    if (fields.empty()) return;
    const FieldRef& field = fields[any(fields.size())];
    std::string text;
    if (const auto* integer = std::get_if<IntValue>(&field.value))
      text = std::to_string(integer->lo + static_cast<int>(any(8)) * std::max(1, integer->step));
    else if (const auto* real = std::get_if<FloatValue>(&field.value))
      text = std::to_string(real->lo + (real->hi - real->lo) * 0.1f * static_cast<float>(any(11)));
    else if (std::holds_alternative<BoolValue>(field.value))
      text = any(2) == 0 ? "false" : "true";
    else if (const auto* choice = std::get_if<ChoiceValue>(&field.value))
      text = choice->choices[any(choice->choices.size())];
    else
      return;
    note("parameter " + std::string(field.name) + " = " + text);
    ParamBox changed = workspace_.work().params;
    try {
      changed.assign(field.name, text);
    } catch (const UsageError&) {
      return;  // out of range
    }
    if (changed.problem().empty()) workspace_.set_parameters(changed);
  }
  void resize() {
    const int width = 320 + static_cast<int>(any(1600)), height = 240 + static_cast<int>(any(1000));
    note("resize " + std::to_string(width) + "x" + std::to_string(height));
    platform_->resize(width, height);
  }
  void drop() {
    constexpr std::array names{"photo.png", "grey.pgm", "broken.png", "missing.png", "test:112x64@25:40"};
    const std::string name = names[any(names.size())];
    note("drop " + name);
    frame({name.starts_with("test:") ? std::filesystem::path(name) : folder_ / name});
  }
  void press() {
    constexpr std::array keys{ImGuiKey_Space, ImGuiKey_Escape, ImGuiKey_G,     ImGuiKey_T,          ImGuiKey_F1,
                              ImGuiKey_M,     ImGuiKey_P,      ImGuiKey_Comma, ImGuiKey_Period,     ImGuiKey_Tab,
                              ImGuiKey_F12,   ImGuiKey_Enter,  ImGuiKey_Home,  ImGuiKey_RightArrow, ImGuiKey_V,
                              ImGuiKey_J,     ImGuiKey_L};
    const ImGuiKey key = keys[any(keys.size())];
    note("key " + std::string(ImGui::GetKeyName(key)));
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(key, true);
    frame();
    io.AddKeyEvent(key, false);
  }
  /// Paints a stroke of a mask over the picture that seams are removed from; the right button clears it.
  void paint() {
    const std::size_t button = any(2);
    const auto offset = [&] { return static_cast<float>(any(200)) - 100.0f; };
    const ImVec2 from(offset(), offset()), to(offset(), offset());
    note("paint from " + std::to_string(static_cast<int>(from.x)) + "," + std::to_string(static_cast<int>(from.y)) +
         " to " + std::to_string(static_cast<int>(to.x)) + "," + std::to_string(static_cast<int>(to.y)) + " button " +
         std::to_string(button));
    workspace_.choose_algorithm(find_algorithm("seam_carving"));
    window_.scene().show(static_cast<int>(SeamsShow::paint));
    frame();
    const ImGuiWindow* view = ImGui::FindWindowByName("View###view");
    if (view == nullptr) return fail("there is no view to paint in");
    const ImVec2 middle = view->Rect().GetCenter();
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(middle.x + from.x, middle.y + from.y);
    frame();
    io.AddMouseButtonEvent(static_cast<int>(button), true);
    frame();
    io.AddMousePosEvent(middle.x + to.x, middle.y + to.y);
    frame();
    io.AddMouseButtonEvent(static_cast<int>(button), false);
  }
  /// Undoes the last change, or makes it again.
  void go_back() {
    const bool undo = any(2) == 0;
    note(undo ? "undo" : "redo");
    if (undo)
      window_.undo();
    else
      window_.redo();
  }
  /// Gives the panels their first sizes. The mouse drags the edges between them until, after some thousand actions, a
  /// single row of the picture is left, so that nearly nothing would be drawn for the rest of the time.
  void reset_layout() {
    note("reset layout");
    window_.reset_layout();
  }
  /// Moves the mouse; clicks, drags or turns the wheel in most cases.
  void move_mouse() {
    ImGuiIO& io = ImGui::GetIO();
    const auto point = [&] { return ImVec2(static_cast<float>(any(1920)), static_cast<float>(any(1200))); };
    const ImVec2 from = point(), to = point();
    const std::size_t what = any(4);
    const int button = static_cast<int>(any(3));
    note("mouse " + std::to_string(static_cast<int>(from.x)) + "," + std::to_string(static_cast<int>(from.y)) + " to " +
         std::to_string(static_cast<int>(to.x)) + "," + std::to_string(static_cast<int>(to.y)) + " action " +
         std::to_string(what) + " button " + std::to_string(button));
    io.AddMousePosEvent(from.x, from.y);
    frame();
    if (what == 3) {
      io.AddMouseWheelEvent(0, any(2) == 0 ? 1.0f : -1.0f);
    } else if (what != 0) {
      io.AddMouseButtonEvent(button, true);
      frame();
      if (what == 2) io.AddMousePosEvent(to.x, to.y);
      frame();
      io.AddMouseButtonEvent(button, false);
    }
  }

  /// The memory with the same small picture, filter, size and panels each time, so that two calls can be compared. The
  /// data that the user has opened, keeps as B, or can go back to are given up before: they are kept up to a limit
  /// (History), so that they would hide a leak, or look like one. Closing a file makes it one that the user can go back
  /// to, so that the history is cleared when all files are closed.
  Memory memory_at_rest() {
    live_.cancel();
    workspace_.slot.clear();
    workspace_.clear_steps();
    platform_->resize(800, 600);
    window_.reset_layout();
    // The characters in the texture of the fonts are of all the sizes of text that were drawn, up to now for views of
    // random sizes.
    ImGui::GetIO().Fonts->CompactCache();
    visit_all();
    fill_upload_buffers();
    workspace_.choose_algorithm(find_algorithm("sobel"));
    workspace_.choose_backend(Backend::serial);
    workspace_.set_source("photo", threadscape::testing::test_photo());
    workspace_.history = History();
    const auto limit = Clock::now() + std::chrono::minutes(2);
    do {
      frame();
    } while ((!live_.settled(workspace_) || live_.files().busy()) && Clock::now() < limit);
    if (!live_.settled(workspace_)) fail("the window did not come to rest within two minutes");
    // Working memory of larger runs is given back after some small ones.
    for (int i = 0; i < 10; ++i) {
      live_.rerun();
      do {
        frame();
      } while (!live_.settled(workspace_) && Clock::now() < limit);
    }
    for (int i = 0; i < 10; ++i)
      frame();
    reuse_command_lists();
    for (int i = 0; i < 2; ++i)
      frame();
    return memory_now();
  }

  /// Lets the buffers from which inputs and results are copied into textures have 1 MiB each. That is what they keep
  /// for ever (HostUploader), so that otherwise their sizes would be those of the largest random results up to 1 MiB.
  void fill_upload_buffers() {
    workspace_.choose_algorithm(find_algorithm("sobel"));
    workspace_.choose_backend(Backend::serial);
    for (std::size_t slot = 0; slot < interop::HostUploader::slots; ++slot) {
      workspace_.set_source("1 MiB",
                            {.pixels = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 512, 512), 1),
                             .colour = io::FileColour::rgb});
      in_all_scenes([this](const SceneType&) { show(3); });
    }
  }

  /// Makes software OpenGL use all its lists of commands again, for framebuffers of one pixel. Mesa's llvmpipe has a
  /// list for each framebuffer that waits to be drawn, and takes the first that is free. A list keeps its commands and
  /// its textures until it is used again, so that one that is only used when all before it wait keeps textures that the
  /// program has deleted, up to 9 MiB for a framebuffer of a former size, and commands in blocks of 64 KiB. Here more
  /// framebuffers than there are lists wait behind a large one that is drawn for long.
  static void reuse_command_lists() {
    constexpr int side = 2048;
    const gl::Framebuffer large(side, side);
    const std::array small{gl::Framebuffer(1, 1), gl::Framebuffer(1, 1)};
    glFinish();
    large.bind();
    glEnable(GL_SCISSOR_TEST);  // so that each glClear() draws, and the next one does not replace it
    glScissor(0, 0, side - 1, side);
    for (int i = 0; i < 100; ++i)
      glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    for (int i = 0; i < 32; ++i)
      for (const gl::Framebuffer& one : small)
        one.clear({0, 0, 0, 1});
    glFinish();
  }

  std::mt19937_64 random_;
  std::ofstream actions_, slow_frames_;
  std::string action_ = "start";  ///< The last line of `actions_`.
  Workspace workspace_;
  std::unique_ptr<Platform> platform_;
  gl::ShaderLibrary shaders_;
  interop::RouteReport route_;
  LiveView live_;
  Window window_;
  gl::Framebuffer frame_;
  std::filesystem::path folder_;
  std::int64_t count_ = 0, frames_ = 0, slow_ = 0;
  double longest_ = 0;
  int failures_ = 0;
};

int soak(int argc, char** argv) {
  share_one_heap();  // as the program does before it opens its window
  // CUDA loads the kernels of a file when one of them is launched for the first time, which takes host memory: 36 MiB
  // in 22,000 actions. Memory that grows by that would hide a leak, so that all are loaded before the first
  // measurement.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  if (argc < 2) {
    std::fputs("soak: how long? soak SECONDS [SEED] [ACTIONS]\n", stderr);
    return 2;
  }
  const double seconds = std::atof(argv[1]);
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device{}();
  const std::int64_t actions = argc > 3 ? std::atoll(argv[3]) : std::int64_t{1} << 40;
  std::printf("soak: seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  const threadscape::testing::TemporaryFolder folder;
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);  // Masks that are painted are written there.
  std::unique_ptr<Platform> platform;
  if (const std::string trouble = threadscape::testing::require_display(); trouble.empty())
    platform = make_window({.state = {.width = 1280, .height = 800}});
  else
    platform = make_headless(1280, 800);
  return Soak(std::move(platform), seed, folder.path()).run(seconds, actions);
}

}  // namespace
}  // namespace threadscape::app

int main(int argc, char** argv) try { return threadscape::app::soak(argc, argv); } catch (const std::exception& error) {
  std::fprintf(stderr, "soak: %s\n", error.what());
  return 3;
}
