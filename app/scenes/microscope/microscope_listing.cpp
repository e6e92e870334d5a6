// The listing of the microscope: lines of the source, or instructions in PTX, with their counts.

#include <algorithm>
#include <chrono>

#include "app/scenes/microscope/line_figure.h"
#include "app/scenes/microscope/microscope_scene.h"
#include "app/session/line_code.h"
#include "compute/sketch/sketch_algorithm.h"
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
    for (const auto& [line, counts] : counts_of_lines(*kernel(), name))
      if (line >= 1 && line <= static_cast<int>(rows.size())) count(rows[static_cast<std::size_t>(line) - 1], counts);
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

void MicroscopeScene::assemble(const std::string& file) {
  const ObservedKernel* const wanted = kernel();
  if (assembling_.valid() && (waits_ || assembling_.wait_for(std::chrono::seconds(0)) == std::future_status::ready))
    machine_ = assembling_.get();
  if (assembled_ == std::pair{wanted, file}) return;
  machine_.reset();
  if (assembling_.valid()) {  // The old one ends first.
    stop_assembling_.request_stop();
    return;
  }
  assembled_ = {wanted, file};
  stop_assembling_ = std::stop_source();
  // The run keeps the module.
  assembling_ = std::async(
      std::launch::async, [run = run_, wanted, file, sketch = is_sketch_, stop = stop_assembling_.get_token()] {
        sketch::LiveSketch* const live = sketch ? run->params.as<sketch::SketchParams>().live.get() : nullptr;
        return std::make_shared<const MachineCode>(
            machine_code(*wanted->module, wanted->first->kernel(), live, warp::gpu_model(90), file, stop));
      });
  if (waits_) assemble(file);
}

void MicroscopeScene::draw_code(ViewCanvas& canvas, const Box& box, float unit) {
  const warp::Module& module = stepper_->launch().module();
  CodePageContent content;
  content.kernel = kernel();
  content.function = step_->function;
  content.instruction = step_->instruction;
  content.file = file_of(module, *step_->function);
  content.source = &sources_.of(content.file);
  content.figure = view().figure;
  assemble(content.file);
  content.machine = machine_;
  page_.draw(canvas, box, unit, content);
}

void MicroscopeScene::click(ImVec2 at) {
  const warp::Module& module = stepper_->launch().module();
  std::optional<std::size_t> instruction;  // Among those of the shown function.
  if (show_ == MicroscopeShow::code) {
    const std::optional<CodePage::Place> place = page_.place_at(at);
    if (!place || place->column == CodePage::Column::machine) return;
    if (place->column == CodePage::Column::source) {
      const std::string file = file_of(module, *step_->function);
      const int line = static_cast<int>(place->row) + 1;
      return go_to_next([&](const warp::Stepper::Executed& executed) {
        return executed.instruction < executed.function->instructions.size() &&
               belongs_to(module, executed.function->instructions[executed.instruction], file, line);
      });
    }
    instruction = place->row;
  } else if (const auto row = listing_.row_at(at); !row) {
    return;
  } else if (show_ == MicroscopeShow::source && listing_.title != "PTX") {
    return go_to_next([&, file = place_.file](const warp::Stepper::Executed& executed) {
      if (executed.instruction >= executed.function->instructions.size()) return false;
      const warp::Location& place = module.locations[executed.function->instructions[executed.instruction].location];
      return place.file == file && place.line == listing_.rows[*row].number;
    });
  } else {
    instruction = row;
  }
  go_to_next([&](const warp::Stepper::Executed& executed) {
    return executed.function == step_->function && executed.instruction == *instruction;
  });
}

}  // namespace threadscape::app
