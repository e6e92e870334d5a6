#pragma once
// Results of one kind as inputs of another kind, where that is possible without a choice: a heightfield is a grey
// picture, a picture is a heightfield, both are the mesh of a surface, and a clip is the picture of its newest frame.

#include "compute/core/data.h"

namespace threadscape {

/// Returns true if data of kind `from` can be the input of an algorithm that takes kind `to`. Every kind but Kind::none
/// is convertible to itself.
[[nodiscard]] bool is_convertible(Kind from, Kind to);

/// The shape of convert_kind() of data of this shape. Throws UsageError if the kinds are not convertible, or if the
/// data are too small or too large for a mesh.
[[nodiscard]] Shape converted_shape(const Shape& shape, Kind to);

/// Copies data as another kind. Heights become grey levels and grey levels heights, with the same values and element
/// type. Colours become their luma as heights. A clip becomes its newest frame. A mesh is that of mesh_of_heights().
/// Throws UsageError if the kinds are not convertible, or for heights that a mesh cannot have; EnvironmentError if
/// memory runs out.
[[nodiscard]] HostArray convert_kind(HostIn data, Kind to);

}  // namespace threadscape
