// False colours. Each map has 33 equidistant colours, interpolated linearly, fitted by least squares to the published
// 256 colours; the maximum difference is 1.3/255.
//   viridis, magma  Stefan van der Walt and Nathaniel Smith, 2015 (CC0)
//   turbo           Anton Mikhailov, Google, 2019 (Apache 2.0)
//   coolwarm        Kenneth Moreland, "Diverging Color Maps for Scientific Visualization", 2009

const int map_none = 0;
const int map_grey = 1;
const int map_viridis = 2;  // magma, turbo and coolwarm follow in the order of the table

const int map_steps = 32;
const uint map_colours[4 * (map_steps + 1)] = uint[](
    // viridis
    0x440154u, 0x470d60u, 0x48186au, 0x482374u, 0x472d7bu, 0x453681u, 0x424086u, 0x3f4989u, 0x3b528bu, 0x375a8du,
    0x33638du, 0x2f6a8eu, 0x2c728eu, 0x297a8eu, 0x26818eu, 0x23898eu, 0x21908du, 0x1f988bu, 0x1e9f88u, 0x21a685u,
    0x27ae80u, 0x31b57bu, 0x3dbc74u, 0x4cc26cu, 0x5cc963u, 0x6ece58u, 0x81d44cu, 0x96d840u, 0xabdc32u, 0xc0df24u,
    0xd5e219u, 0xeae519u, 0xfde725u,
    // magma
    0x000004u, 0x030311u, 0x0a0822u, 0x130d33u, 0x1d1146u, 0x28125au, 0x36106bu, 0x430f76u, 0x50127cu, 0x5d177fu,
    0x691c81u, 0x762181u, 0x822682u, 0x8f2a81u, 0x9c2e7fu, 0xa9327du, 0xb6377au, 0xc33b75u, 0xd04170u, 0xdb486au,
    0xe65063u, 0xef5c5eu, 0xf5695bu, 0xf9785cu, 0xfc8761u, 0xfd9668u, 0xfea571u, 0xfeb47bu, 0xfec387u, 0xfed194u,
    0xfde0a1u, 0xfceeb0u, 0xfcfdbfu,
    // turbo
    0x30123bu, 0x3a2a74u, 0x4040a2u, 0x4556c7u, 0x476be4u, 0x477ff7u, 0x4393ffu, 0x37a8fbu, 0x29bbecu, 0x1ccdd8u,
    0x17dcc3u, 0x1de8b0u, 0x30f299u, 0x4cf97eu, 0x6bfe63u, 0x8aff4cu, 0xa3fd3cu, 0xb8f734u, 0xcced34u, 0xdee037u,
    0xedd03au, 0xf8c03au, 0xfdae35u, 0xfe982cu, 0xfc8022u, 0xf56817u, 0xec520eu, 0xe14009u, 0xd23105u, 0xc12302u,
    0xac1701u, 0x950c01u, 0x7a0403u,
    // coolwarm
    0x3b4cc0u, 0x445accu, 0x4d68d7u, 0x5775e1u, 0x6282eau, 0x6c8ef1u, 0x779af7u, 0x82a5fbu, 0x8db0feu, 0x98b9ffu,
    0xa3c2ffu, 0xaec9fdu, 0xb8d0f9u, 0xc2d5f4u, 0xccd9eeu, 0xd5dbe6u, 0xddddddu, 0xe5d8d1u, 0xecd3c5u, 0xf1ccb9u,
    0xf5c4adu, 0xf7bba0u, 0xf7b194u, 0xf7a687u, 0xf49a7bu, 0xf18d6fu, 0xec7f63u, 0xe57058u, 0xde604du, 0xd55042u,
    0xcb3e38u, 0xc0282fu, 0xb40426u
);

vec3 map_entry(int index) {
  uint rgb = map_colours[index];
  return vec3((rgb >> 16) & 255u, (rgb >> 8) & 255u, rgb & 255u) / 255.0;
}

// The colour of a value, which is clamped to 0..1.
vec3 colour_of(float value, int map) {
  value = clamp(value, 0.0, 1.0);
  if (map < map_viridis) return vec3(value);
  float place = value * float(map_steps);
  int low = min(int(place), map_steps - 1);
  int first = (map - map_viridis) * (map_steps + 1) + low;
  return mix(map_entry(first), map_entry(first + 1), place - float(low));
}
