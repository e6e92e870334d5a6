#pragma once
// What a volume should be equal to, where its algorithm knows that (TruthFacet): made once for the parameters
// that it depends on, on a thread of its own, so that large phantoms do not stop the window.

#include <future>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>

#include "app/scenes/flat_pane.h"
#include "app/session/workspace.h"
#include "render/gl/volume_texture.h"

namespace threadscape::app {

class TruthVolume {
 public:
  /// Takes what has arrived, and has made what this work should give. Once a frame.
  void update(const Work& work);
  /// From now on update() waits: for pictures that are compared.
  void wait_always() { waits_ = true; }
  /// Something is being made.
  [[nodiscard]] bool pending() const { return coming_.valid(); }

  /// Of the last update(); null while there is none, or not yet.
  [[nodiscard]] const gl::VolumeTexture* texture() const { return current_ && !texture_.empty() ? &texture_ : nullptr; }
  /// The same as numbers; only where there is a texture.
  [[nodiscard]] const HostArray& voxels() const { return *made_.voxels; }
  /// Least and largest.
  [[nodiscard]] glm::vec2 range() const { return made_.range; }
  /// See centre_of_edges().
  [[nodiscard]] glm::vec3 middle() const { return made_.middle; }
  /// Grows by one with each that arrives.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// What went wrong since the last call, "" when nothing did.
  [[nodiscard]] std::string take_error() { return std::exchange(error_, {}); }

 private:
  void take();

  struct Asked {
    const AlgorithmInfo* algorithm = nullptr;
    ParamBox params;
    [[nodiscard]] bool same_as(const Work& work) const;
  };
  struct Made {
    std::optional<HostArray> voxels;
    glm::vec2 range{0.0f, 1.0f};
    glm::vec3 middle{0.5f};
  };
  std::future<Made> coming_;  // its end waits for the thread
  Asked asked_, have_;        ///< what coming_ and made_ are of
  Made made_;
  gl::VolumeTexture texture_;
  std::uint64_t version_ = 0;
  bool current_ = false, waits_ = false;
  std::string error_;
};

}  // namespace threadscape::app
