#pragma once

#include "app/panels/algorithms/sample_shelf.h"
#include "app/panels/panel.h"

namespace threadscape::app {

/// The list of algorithms with its search, and below it the pictures: those that were opened together, and the samples.
class AlgorithmsPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  void update(Desk&) override {
    if (loading_) loading_ = samples_.load_next();
  }
  [[nodiscard]] bool animating() const override { return loading_; }
  void load_everything() override {
    samples_.load_all();
    loading_ = false;
  }

 private:
  void draw_list(Desk& desk);

  SampleShelf samples_;
  bool loading_ = true;
  const AlgorithmInfo* listed_ = nullptr;  ///< The chosen algorithm that was last visible in the list.
};

}  // namespace threadscape::app
