// The listing of the microscope: lines of the source, or instructions in PTX, with their counts.

#include <algorithm>

#include "app/scenes/microscope/line_figure.h"
#include "app/scenes/microscope/microscope_scene.h"
#include "compute/warp/ptx_text.h"

namespace threadscape::app {

void MicroscopeScene::list_rows() {
  std::vector<Listing::Row>& rows = listing_.rows;
  rows.clear();
  const warp::Module& module = stepper_->launch().module();
  const warp::LaunchResult& launch = kernel()->study.launch;
  const auto file = static_cast<std::size_t>(place_.file);
  const std::vector<std::string>* source = nullptr;
  if (show_ == MicroscopeShow::source && file > 0 && file < module.files.size())
    source = &sources_.of(module.files[file]);
  const auto count = [this](Listing::Row& row, const warp::Counts& counts) {
    row.figure = figure_of(view_.as<MicroscopeView>().figure, counts);
    row.counted = counts.ptx_instructions > 0;
  };
  const auto mark = [this](std::size_t number) {
    if (number >= 1 && number <= listing_.rows.size()) listing_.rows[number - 1].marked = true;
    listing_.centre(std::max<std::size_t>(number, 1) - 1);
  };
  if (source != nullptr && !source->empty()) {
    const std::string& name = module.files[file];
    listing_.title = name.substr(name.rfind('/') + 1);
    for (std::size_t i = 0; i < source->size(); ++i)
      rows.push_back({.number = static_cast<int>(i) + 1, .text = (*source)[i]});
    for (const warp::LineCounts& line : launch.lines)
      if (line.file == static_cast<int>(file) && line.line >= 1 && line.line <= static_cast<int>(rows.size()))
        count(rows[static_cast<std::size_t>(line.line) - 1], line.counts);
    mark(static_cast<std::size_t>(place_.line));
    return;
  }
  const warp::Function& function = *step_->function;
  listing_.title = "PTX";
  const bool is_kernel = function.name == stepper_->launch().kernel();
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    Listing::Row& row = rows.emplace_back();
    row.number = static_cast<int>(i) + 1;
    row.text = warp::text_of(module, function, function.instructions[i]);
    if (is_kernel && i < launch.instructions.size()) count(row, launch.instructions[i]);
  }
  mark(std::size_t{step_->instruction} + 1);
}

}  // namespace threadscape::app
