#pragma once
// What OpenGL makes of the displayed input by a fragment program, for the algorithm that exists as one.

#include <memory>
#include <string>

#include "app/live/live_view.h"
#include "render/passes/fragment_convolution.h"

namespace threadscape::app {

class FragmentTwin {
 public:
  /// The library must outlive the twin.
  explicit FragmentTwin(const gl::ShaderLibrary& shaders) : shaders_(shaders) {}

  /// True for the algorithm whose parameters the fragment program takes.
  [[nodiscard]] static bool exists_for(const AlgorithmInfo& algorithm);
  /// The picture that the fragment program makes of the input of the displayed result in some passes, computed when one
  /// of them has changed; null if there is none. Leaves the current framebuffer, and its viewport, changed.
  [[nodiscard]] const gl::Resource* follow(const LiveView& live, const gl::Texture* input, int passes);
  /// The time of the fragment program beside that of the backend, or why there is no picture; "" where neither is
  /// known.
  [[nodiscard]] std::string text(const Workspace& workspace) const;
  /// Returns true until the time of the last run has arrived.
  [[nodiscard]] bool pending() const { return awaits_time_; }

 private:
  void run(const Work& work, const gl::Texture& input, int passes);

  const gl::ShaderLibrary& shaders_;
  std::unique_ptr<render::FragmentConvolution> program_;  ///< Made when it is used for the first time.
  std::optional<Work> work_;
  std::uint64_t input_version_ = 0;
  int passes_ = 1;
  std::string problem_;  ///< Why the program does not compute the displayed work; "" if it does.
  double ms_ = 0.0;
  bool awaits_time_ = false;
};

}  // namespace threadscape::app
