#include "app/panels/parameters/volume_reading_fields.h"

#include <array>

#include "app/shell/field_names.h"
#include "app/shell/field_widgets.h"
#include "app/ui/widgets.h"

namespace threadscape::app {
namespace {

constexpr std::array<const char*, 4> axis_titles{"the patient's axis", "first axis of the file",
                                                 "second axis of the file", "third axis, slice to slice"};
/// The attenuation of water at 60 keV per millimetre, where the field begins.
constexpr double usual_water = 0.0206;

/// Returns whether another axis was chosen.
bool draw_axis(io::VolumeReading& reading) {
  label_left(
      "Turns about",
      "The axis of the file that a scanner turns about. The first axis is the one that varies fastest; DICOM and "
      "NIfTI state that of the patient. The file is read again.",
      label_width());
  const auto chosen = static_cast<std::size_t>(reading.axis);
  bool changed = false;
  if (!ImGui::BeginCombo("##axis", axis_titles[chosen])) return false;
  for (std::size_t i = 0; i < axis_titles.size(); ++i)
    if (ImGui::Selectable(axis_titles[i], i == chosen) && i != chosen) {
      reading.axis = static_cast<io::VolumeAxis>(i);
      changed = true;
    }
  ImGui::EndCombo();
  return changed;
}

}  // namespace

/// Returns whether the meaning of the voxels was changed.
bool VolumeReadingFields::draw_water(io::VolumeReading& reading) {
  label_left(
      "Hounsfield",
      "The voxels of the file are Hounsfield units, and become attenuation, which projection adds up. The file is "
      "read again.",
      label_width());
  bool hounsfield = reading.water.has_value();
  bool changed = ImGui::Checkbox("##hounsfield", &hounsfield);
  if (changed) reading.water = hounsfield ? std::optional(usual_water) : std::nullopt;
  if (!reading.water) return changed;
  label_left(
      "Water",
      "The attenuation of water for each unit of length of the file: 0.0206 for millimetres at 60 keV, 0.0171 at "
      "100 keV.",
      label_width());
  ImGui::InputDouble("##water", &water_, 0.0, 0.0, "%.5g");
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    if (water_ > 0 && water_ != *reading.water) {
      reading.water = water_;
      changed = true;
    } else {
      water_ = *reading.water;
    }
  }
  return changed;
}

void VolumeReadingFields::draw(Desk& desk) {
  const Workspace& workspace = desk.workspace();
  const auto source = workspace.source();
  if (!source || source->path.empty() || source->picture.pixels.shape().kind != Kind::volume) return;
  if (source->id != source_) {
    source_ = source->id;
    water_ = source->picture.reading.water.value_or(usual_water);
  }
  heading(desk.fonts().strong, "File");
  io::VolumeReading reading = source->picture.reading;
  const bool other_axis = draw_axis(reading), other_voxels = draw_water(reading);
  ImGui::Spacing();
  if (!other_axis && !other_voxels) return;
  FileToOpen file = workspace.file_to_open(source->path);
  file.options.volume = reading;
  desk.live().files().open(std::move(file));
}

}  // namespace threadscape::app
