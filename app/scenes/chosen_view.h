#pragma once

#include "app/scenes/scene.h"
#include "compute/core/params.h"

namespace threadscape::app {

/// A scene that keeps what it shows, a value of the enumeration `Show`, and its settings, a struct of parameters.
template <class Show, class View>
class ChosenView : public Scene {
 public:
  void show(int index) override { show_ = static_cast<Show>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &view_; }
  [[nodiscard]] bool animating() const override { return false; }

 protected:
  ParamBox view_ = ParamBox::of(View{});
  Show show_{};
};

}  // namespace threadscape::app
