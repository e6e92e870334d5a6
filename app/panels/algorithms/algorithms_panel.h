#pragma once

#include <array>
#include <string>
#include <string_view>

#include "app/panels/algorithms/algorithm_pictures.h"
#include "app/panels/algorithms/sample_shelf.h"
#include "app/panels/panel.h"

namespace threadscape::app {

/// A title in at most two lines that are not wider than `width`, broken between words. What does not fit is shortened.
[[nodiscard]] std::array<std::string, 2> title_lines(std::string_view title, float width);

/// The list of algorithms with its search, small pictures, favourites and groups that fold, and below it the pictures:
/// those that were opened together, and the samples.
class AlgorithmsPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  void update(Desk& desk) override;
  [[nodiscard]] bool animating() const override { return loading_ || making_; }
  void load_everything() override {
    samples_.load_all();
    pictures_.make_all();
    loading_ = making_ = false;
  }

 private:
  void draw_search(Desk& desk);
  void draw_list(Desk& desk);
  [[nodiscard]] static bool draw_group(AlgorithmMarks& marks, std::string_view title);
  void draw_row(Desk& desk, const AlgorithmInfo& algorithm, bool main);
  void draw_picture(const AlgorithmInfo& algorithm, ImVec2 low, float side) const;
  /// Chooses an algorithm, and clears the search that has found it.
  static void choose(Desk& desk, const AlgorithmInfo& algorithm);

  SampleShelf samples_;
  AlgorithmPictures pictures_;
  bool loading_ = true;
  bool seen_ = false;                      ///< The list was drawn.
  bool making_ = false;                    ///< Pictures are being made, from the first time on that the list is seen.
  const AlgorithmInfo* listed_ = nullptr;  ///< The chosen algorithm that was last visible in the list.
};

}  // namespace threadscape::app
