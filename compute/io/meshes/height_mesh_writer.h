#pragma once
// Heightfields as models, for programs that draw, sculpt or print them. A step from height to height is the unit of
// length, and heights are what they are. Row 0 is the far side. Where y points upwards (OBJ, glTF), x is the column and
// z the row; where z does (PLY, STL), x is the column, and y falls from row to row to 0.

#include "compute/core/data_view.h"
#include "compute/io/file_writer.h"

namespace threadscape::io {

// Each writes heights of u8, u16 or f32, two triangles for every cell, but none with a corner in a hole (NaN). Throws
// UsageError for fewer than 2 x 2 heights, or more than the format holds. The last argument, the bits of a picture, has
// no meaning.
void encode_heights_obj(FileWriter& writer, HostIn heights, int);
void encode_heights_glb(FileWriter& writer, HostIn heights, int);  ///< Binary glTF 2.0.
void encode_heights_ply(FileWriter& writer, HostIn heights, int);  ///< Binary, little endian.
/// Binary STL: a closed solid, as printers take it, with walls down to a flat bottom, which is below the lowest height
/// by a twentieth of the longer side. Holes are as low as the lowest height.
void encode_heights_stl(FileWriter& writer, HostIn heights, int);

}  // namespace threadscape::io
