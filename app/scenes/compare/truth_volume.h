#pragma once
// The volume that a result should be equal to, for algorithms that know it (TruthFacet), such as the phantom that a
// reconstruction starts from. It is made on a separate thread, so that large phantoms do not block the window, and made
// again only if parameters change on which it depends.

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
  /// Takes a volume that is complete, and starts to make the one for this work if that is another volume. Called once a
  /// frame. Returns why a volume could not be made or taken; "" if there was no such reason.
  std::string update(const Work& work);
  /// Makes update() wait for the volume from now on, so that pictures can be compared.
  void wait_always() { waits_ = true; }
  /// Returns whether a volume is being made.
  [[nodiscard]] bool pending() const { return coming_.valid(); }

  /// The volume for the work of the last update(); null if there is none or if it is not made yet.
  [[nodiscard]] const gl::VolumeTexture* texture() const { return current_ && !texture_.empty() ? &texture_ : nullptr; }
  /// The voxels of texture(). Call it only if texture() is not null.
  [[nodiscard]] const HostArray& voxels() const { return *made_.voxels; }
  /// Minimum and maximum of the voxels.
  [[nodiscard]] glm::vec2 range() const { return made_.range; }
  /// centre_of_edges() of the voxels.
  [[nodiscard]] glm::vec3 middle() const { return made_.middle; }
  /// Grows by one with each volume that arrives.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  [[nodiscard]] std::string take();

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
  std::future<Made> coming_;  ///< The volume that is being made. The destructor waits for it.
  Asked asked_, have_;        ///< The parameters that coming_ and made_ belong to.
  Made made_;
  gl::VolumeTexture texture_;
  std::uint64_t version_ = 0;
  bool current_ = false;  ///< If true, made_ belongs to the work of the last update().
  bool waits_ = false;
};

}  // namespace threadscape::app
