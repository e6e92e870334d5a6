// Tests of shader programs and their reloading, of timers, and of the platform.

#include "render/gl/program.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "compute/core/errors.h"
#include "render/capture.h"
#include "render/gl/timer.h"
#include "render/interop/route.h"
#include "tests/support/render/gl_test.h"
#include "tests/support/test_paths.h"

namespace threadscape {
namespace {

namespace fs = std::filesystem;

class ProgramTest : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    // Tests run side by side, each in a process of its own, so each has a folder of its own.
    folder_ =
        fs::path(test_output_dir()) / "shader_reload" / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  /// Writes a shader with a modification time that differs from the previous one.
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    stamp_ += std::chrono::seconds(2);
    fs::last_write_time(folder_ / name, stamp_);
  }
  static Rgba8 drawn(gl::Program& program) {
    const gl::Framebuffer frame(1, 1);
    frame.bind();
    GLuint vertex_array = 0;
    glCreateVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    program.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &vertex_array);
    return render::capture(frame).image<Rgba8>()(0, 0);
  }
  static std::string colour_shader(const std::string& expression) {
    return "#version 450 core\n#include \"part.glsl\"\nout vec4 colour;\nvoid main() { colour = " + expression +
           "; }\n";
  }

  fs::path folder_;
  fs::file_time_type stamp_ = fs::file_time_type::clock::now();
};

TEST_F(ProgramTest, ChangesOnDiskAreTakenAndErrorsKeepTheOldProgram) {
  write("part.glsl", "const float part = 1.0;\n");
  write("test.frag", colour_shader("vec4(part, 0, 0, 1)"));
  gl::ShaderLibrary library(folder_);  // screen.vert is not there: the built-in one serves
  library.poll(true);
  gl::Program program(library, "screen.vert", "test.frag");
  EXPECT_EQ(drawn(program), (Rgba8{255, 0, 0, 255}));

  write("test.frag", colour_shader("vec4(0, part, 0, 1)"));
  library.poll(true);
  EXPECT_EQ(drawn(program), (Rgba8{0, 255, 0, 255}));

  write("test.frag", colour_shader("no_such_thing(part)"));
  library.poll(true);
  EXPECT_EQ(drawn(program), (Rgba8{0, 255, 0, 255}));
  EXPECT_NE(program.error().find("test.frag"), std::string::npos);
  EXPECT_NE(program.error().find("no_such_thing"), std::string::npos) << program.error();

  write("test.frag", colour_shader("vec4(0, 0, part, 1)"));
  write("part.glsl", "const float part = 0.2;\n");  // an included file counts too
  library.poll(true);
  EXPECT_EQ(drawn(program), (Rgba8{0, 0, 51, 255}));
  EXPECT_EQ(program.error(), "");
}

TEST_F(ProgramTest, AnUnchangedFolderRebuildsNothing) {
  write("part.glsl", "const float part = 1.0;\n");
  write("test.frag", colour_shader("vec4(part)"));
  gl::ShaderLibrary library(folder_);
  gl::Program program(library, "screen.vert", "test.frag");
  library.poll(true);
  (void)drawn(program);
  const GLuint id = program.id();
  const auto generation = library.generation();
  library.poll(true);
  (void)drawn(program);
  EXPECT_EQ(library.generation(), generation);
  EXPECT_EQ(program.id(), id);
}

TEST_F(ProgramTest, ErrorsAtTheStartAreThrown) {
  write("part.glsl", "// nothing\n");
  write("test.frag", colour_shader("wrong"));
  const gl::ShaderLibrary library(folder_);
  EXPECT_THROW(gl::Program(library, "screen.vert", "test.frag"), EnvironmentError);
  EXPECT_THROW(gl::Program(library, "screen.vert", "absent.frag"), UsageError);
}

using TimerTest = testing::GlTest;

TEST_F(TimerTest, ResultsComeInOrderAndNothingWaits) {
  gl::GpuTimer timer;
  EXPECT_FALSE(timer.poll_ms().has_value());
  int measured = 0;
  for (int i = 0; i < 50;
       ++i) {  // never polled: the ring fills up, and measurements are left out instead of waited for
    measured += timer.begin() ? 1 : 0;
    timer.end();
  }
  EXPECT_EQ(measured, 8);
  glFinish();
  int results = 0;
  while (const auto ms = timer.poll_ms()) {
    EXPECT_GE(*ms, 0.0);
    ++results;
  }
  EXPECT_EQ(results, measured);
  EXPECT_TRUE(timer.begin());
  timer.end();
}

using PlatformTest = testing::GlTest;

TEST_F(PlatformTest, TheContextTellsWhatItIs) {
  EXPECT_FALSE(context().renderer().empty());
  EXPECT_FALSE(context().origin().empty());
  EXPECT_GE(context().max_texture_size(), 16384);
  RecordProperty("renderer", context().renderer());
}

TEST_F(PlatformTest, GlErrorsAreReportedOnce) {
  int errors = 0;
  context().set_message_sink(
      [&](gl::Severity severity, std::string_view) { errors += severity == gl::Severity::error; });
  glBindTextureUnit(0, 0xdeadbeef);
  EXPECT_THROW(context().check("a deliberate error"), EnvironmentError);
  EXPECT_NO_THROW(context().check("after it"));
  context().set_message_sink({});
  EXPECT_LE(errors, 1);
}

TEST_F(PlatformTest, FramesWithoutAWindowHaveAFixedStep) {
  const auto platform = app::make_headless(320, 200, -1, 2.0f);
  const app::Input first = platform->poll(true), second = platform->poll(true);
  EXPECT_TRUE(platform->headless());
  EXPECT_EQ(first.width, 320);
  EXPECT_EQ(first.height, 200);
  EXPECT_EQ(first.content_scale, 2.0f);
  EXPECT_EQ(first.time, 0.0);
  EXPECT_NEAR(second.time, 1.0 / 60.0, 1e-6);
  platform->resize(100, 50);
  EXPECT_EQ(platform->poll(false).width, 100);
  context().make_current();  // the new one had taken over
}

using RouteTest = testing::GlTest;

TEST_F(RouteTest, TheProbeGivesARouteAndAReason) {
  const interop::RouteReport report = interop::probe_route(context(), gpu::devices().first());
  EXPECT_FALSE(report.reason.empty());
  EXPECT_NE(report.cuda_route, interop::Route::none);
  EXPECT_EQ(report.cuda_route == interop::Route::host, !report.cuda_available);
  EXPECT_EQ(report.cuda_route == interop::Route::interop, report.registration_works);
  EXPECT_TRUE(report.gl_device_matches || !report.registration_works);
  RecordProperty("route", std::string(interop::name_of(report.cuda_route)) + ": " + report.reason);
}

TEST_F(RouteTest, ForcedRoutesAreTakenOrRefused) {
  EXPECT_EQ(interop::probe_route(context(), gpu::devices().first(), interop::Route::host).cuda_route,
            interop::Route::host);
  const interop::RouteReport report = interop::probe_route(context(), gpu::devices().first());
  for (const interop::Route route : {interop::Route::staged, interop::Route::interop}) {
    const bool possible = route == interop::Route::staged ? report.cuda_available : report.registration_works;
    if (possible) {
      EXPECT_EQ(interop::probe_route(context(), gpu::devices().first(), route).cuda_route, route);
    } else {
      EXPECT_THROW((void)interop::probe_route(context(), gpu::devices().first(), route), BackendAbsent);
    }
  }
}

TEST(RouteNamesTest, NamesAreReadBack) {
  for (const auto name : interop::route_names)
    EXPECT_EQ(interop::name_of(interop::parse_route(name)), name);
  EXPECT_THROW((void)interop::parse_route("fast"), UsageError);
}

}  // namespace
}  // namespace threadscape
