#include "tests/support/app/app_testing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace threadscape::testing {

namespace {

/// Xvfb chooses a free display itself and writes its number to the pipe once it accepts clients.
class VirtualDisplay {
 public:
  VirtualDisplay() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
      trouble_ = "no pipe for Xvfb";
      return;
    }
    const std::string write_end = std::to_string(ends[1]);
    child_ = fork();
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      close(ends[0]);
      const int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, STDERR_FILENO);
      execlp("Xvfb", "Xvfb", "-displayfd", write_end.c_str(), "-screen", "0", "1600x1000x24", "-nolisten", "tcp",
             "-noreset", nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::string number;
    std::array<char, 16> text{};
    for (ssize_t got = 0;
         number.find('\n') == std::string::npos && (got = read(ends[0], text.data(), text.size())) > 0;)
      number.append(text.data(), static_cast<std::size_t>(got));
    close(ends[0]);
    if (number.empty()) {
      trouble_ = "Xvfb is not installed or does not start";
      return;
    }
    setenv("DISPLAY", (":" + number.substr(0, number.find('\n'))).c_str(), 1);
  }
  ~VirtualDisplay() {
    if (child_ <= 0) return;
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  pid_t child_ = -1;
  std::string trouble_;
};

}  // namespace

std::string require_display() {
  if (const char* display = std::getenv("DISPLAY"); display != nullptr && *display != '\0') return {};
  static const VirtualDisplay display;
  return display.trouble();
}

std::unique_ptr<app::Platform> headless_or_skip(int width, int height, int cuda_device) {
  try {
    return app::make_headless(width, height, cuda_device);
  } catch (const EnvironmentError& error) {
    // GTEST_SKIP() returns from the function that it is in, which must not have a result.
    [&] { GTEST_SKIP() << error.what(); }();
    return nullptr;
  }
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "threadscape-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

io::Loaded test_photo() {
  io::Loaded picture{HostArray(Shape::image(Element::u8, 4, 96, 64)), io::FileColour::rgb};
  const ImageView<Rgba8> pixels = picture.pixels.image<Rgba8>();
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      const bool tile = (x / 12 + y / 12) % 2 == 0;
      const auto shade = static_cast<std::uint8_t>(40 + 2 * x);
      pixels(x, y) = {shade, static_cast<std::uint8_t>(tile ? 200 : 3 * y), static_cast<std::uint8_t>(255 - 2 * x),
                      255};
    }
  }
  pixels(48, 32) = {255, 255, 255, 255};
  return picture;
}

}  // namespace threadscape::testing
