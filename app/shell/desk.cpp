#include "app/shell/desk.h"

#include <imgui.h>

#include <algorithm>

namespace threadscape::app {

Desk::Desk(Platform& platform, const gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live,
           MachineFacts facts, FontChoice fonts, std::string layout_file)
    : platform_(platform),
      workspace_(workspace),
      live_(live),
      facts_(std::move(facts)),
      facts_device_(live.route().device),
      ui_(platform, fonts, std::move(layout_file)),
      scenes_(shaders, platform.headless()             ? Pace::complete
                       : platform.context().software() ? Pace::quick
                                                       : Pace::smooth),
      moving_(workspace.log, [&platform] { platform.wake(); }),
      sketch_([&platform] { platform.wake(); }),
      lesson_(workspace.log, [&platform] { platform.wake(); }) {
  scenes_.work_at(*this);
  files_.offer_folders_of([this] { return recent_.paths(); });
}

void Desk::undo() {
  if (scene().take_back_edit()) return;
  open_again(workspace_.undo());
}

void Desk::redo() {
  // What is being painted is newer than what was taken back.
  if (!scene().edit_pending()) open_again(workspace_.redo());
}

std::vector<double> Desk::present_times() const {
  const Work wanted = workspace_.wanted();
  const TimingHistory& runs = workspace_.timings.statistics(wanted.backend);
  if (live_.shown() == nullptr || *live_.shown() != wanted || runs.size() == 0) return {};
  const TimingSample& last = runs[runs.size() - 1];
  if (last.variant != wanted.variant || last.threads != wanted.threads) return {};
  constexpr std::size_t enough = 30;  // More runs change no verdict that is worth reading.
  std::vector<double> times;
  for (std::size_t i = runs.size() - std::min(runs.size(), enough); i < runs.size(); ++i)
    if (i > 0 && !runs[i].warm_up) times.push_back(runs[i].times.total_ms());
  return times;
}

void Desk::keep_as_b() {
  workspace_.slot.keep(workspace_.setting(), present_times());
}

void Desk::swap_a_and_b() {
  workspace_.swap_with_slot(present_times());
}

void Desk::open_again(const std::vector<SettingInput>& inputs) {
  for (const SettingInput& input : inputs)
    live_.files().open(workspace_.file_to_restore(input.path, input.kind));
}

void Desk::next_backend() {
  for (std::size_t step = 1; step < backends.size(); ++step) {
    const auto next =
        static_cast<Backend>((static_cast<std::size_t>(workspace_.work().backend) + step) % backends.size());
    if (!workspace_.why_absent(next).empty()) continue;
    workspace_.choose_backend(next);
    return;
  }
}

void Desk::run_again() {
  workspace_.check_again();
  previews_.refresh_all();
  live_.rerun();
}

void Desk::compare_variants() {
  const Work& work = workspace_.work();
  if (!workspace_.problem().empty()) return;
  copy_limit_.measure(work.backend, work.threads, workspace_.device());
  variants_due_ = true;
  by_variant_ = true;
}

}  // namespace threadscape::app
