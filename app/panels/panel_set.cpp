#include <algorithm>
#include <array>

#include "app/panels/algorithms/algorithms_panel.h"
#include "app/panels/code/code_panel.h"
#include "app/panels/lesson/lesson_panel.h"
#include "app/panels/log/log_panel.h"
#include "app/panels/panel.h"
#include "app/panels/parameters/parameter_panel.h"
#include "app/panels/source/source_panel.h"
#include "app/panels/statistics/statistics_panel.h"
#include "app/panels/timings/timings_panel.h"
#include "app/panels/video/video_panel.h"
#include "app/panels/view_settings/view_settings_panel.h"

namespace threadscape::app {

namespace {

template <class P>
std::unique_ptr<Panel> make_panel(const gl::ShaderLibrary& shaders) {
  if constexpr (std::is_constructible_v<P, const gl::ShaderLibrary&>)
    return std::make_unique<P>(shaders);
  else
    return std::make_unique<P>();
}

/// A panel without a state of its own.
template <void (*contents)(Desk&)>
class PlainPanel final : public Panel {
 public:
  void draw(Desk& desk) override { contents(desk); }
};

void draw_pixel(Desk& desk) {
  desk.scene().panel(desk.workspace(), desk.live(), desk.fonts());
}

void draw_device(Desk& desk) {
  draw_device_panel(desk.facts(), desk.workspace(), desk.fonts());
}

// The panels. A new one is a folder in app/panels/ and a row here.
constexpr std::array types{
    PanelType{"algorithms", "Algorithms###algorithms", PanelPlace::left, false, make_panel<AlgorithmsPanel>},
    PanelType{"parameters", "Parameters###parameters", PanelPlace::right, false, make_panel<ParameterPanel>},
    PanelType{view_settings_name, "Scene###view settings", PanelPlace::right, true, make_panel<ViewSettingsPanel>},
    PanelType{"pixel", "Pixel###pixel", PanelPlace::right_below, false, make_panel<PlainPanel<draw_pixel>>},
    PanelType{"timings", "Timings###timings", PanelPlace::below, false, make_panel<TimingsPanel>},
    PanelType{"statistics", "Statistics###statistics", PanelPlace::below, false, make_panel<StatisticsPanel>},
    PanelType{"device", "Device###device", PanelPlace::below, false, make_panel<PlainPanel<draw_device>>},
    PanelType{"log", "Log###log", PanelPlace::below, false, make_panel<LogPanel>},
    PanelType{"code", "Code###code", PanelPlace::beside, true, make_panel<CodePanel>},
    PanelType{SourcePanel::name, "Source###source", PanelPlace::beside, true, make_panel<SourcePanel>},
    PanelType{"video", "Video###video", PanelPlace::below, true, make_panel<VideoPanel>},
    PanelType{"lesson", "Lesson###lesson", PanelPlace::page, false, make_panel<LessonPanel>},
};

}  // namespace

std::span<const PanelType> panel_types() {
  return types;
}

std::vector<std::string_view> panel_names() {
  std::vector<std::string_view> names;
  for (const PanelType& type : types)
    if (type.place == PanelPlace::below && !type.comes_and_goes) names.push_back(type.name);
  return names;
}

}  // namespace threadscape::app
