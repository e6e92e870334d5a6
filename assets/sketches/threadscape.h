// The header of sketches: pictures, heightfields, volumes, sequences and meshes as kernels see them. It compiles with
// NVRTC, nvcc, g++ and clang, and includes nothing. docs/SKETCHES.md describes sketches.
#pragma once

#ifdef __CUDACC__
#define THREADSCAPE_BOTH __host__ __device__
#else
#define THREADSCAPE_BOTH
#define __constant__
#endif

/// A pixel of a colour picture.
template <class T>
struct Rgba {
  T r, g, b, a;
};

/// Rows of pixels, which begin at a multiple of `pitch` pixels. T is const for what a kernel reads.
template <class T>
struct Image {
  T* data;
  int width, height;
  long long pitch;

  THREADSCAPE_BOTH T& operator()(int x, int y) const { return data[y * pitch + x]; }
  THREADSCAPE_BOTH bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }

  // The pixel at a place that may lie outside. A row a b c d goes on as ...
  /// ... 0 0 | a b c d | 0 0
  THREADSCAPE_BOTH T zero(int x, int y) const { return inside(x, y) ? (*this)(x, y) : T(); }
  /// ... a a | a b c d | d d
  THREADSCAPE_BOTH T& clamp(int x, int y) const { return (*this)(clamped(x, width), clamped(y, height)); }
  /// ... c b | a b c d | c b
  THREADSCAPE_BOTH T& mirror(int x, int y) const { return (*this)(mirrored(x, width), mirrored(y, height)); }
  /// ... c d | a b c d | a b
  THREADSCAPE_BOTH T& wrap(int x, int y) const { return (*this)(wrapped(x, width), wrapped(y, height)); }

  THREADSCAPE_BOTH static int clamped(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }
  THREADSCAPE_BOTH static int mirrored(int i, int n) {
    const int last = 2 * n - 2, from_start = i < 0 ? -i : i, from_end = last - from_start;
    const int near = from_start < from_end ? from_start : from_end;
    return near >= 0 ? near : n == 1 ? 0 : mirrored(wrapped(i, last), n);
  }
  THREADSCAPE_BOTH static int wrapped(int i, int n) {
    if (i < -n || i >= 2 * n) i %= n;
    return i < 0 ? i + n : i < n ? i : i - n;
  }
};

/// Voxels, without gaps between rows and layers.
template <class T>
struct Volume {
  T* data;
  int width, height, depth;

  THREADSCAPE_BOTH T& operator()(int x, int y, int z) const {
    return data[(static_cast<long long>(z) * height + y) * width + x];
  }
  THREADSCAPE_BOTH bool inside(int x, int y, int z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
  }
  THREADSCAPE_BOTH T& clamp(int x, int y, int z) const {
    return (*this)(Image<T>::clamped(x, width), Image<T>::clamped(y, height), Image<T>::clamped(z, depth));
  }
};

/// Numbers in a row. A single number is a sequence of one.
template <class T>
struct Sequence {
  T* data;
  long long count;

  THREADSCAPE_BOTH T& operator[](long long i) const { return data[i]; }
};

struct Point {
  float x, y, z;
};

/// Triangles between vertices, which are rows of numbers in `words`.
struct Mesh {
  const unsigned* words;
  int vertices, triangles;
  unsigned positions_at, normals_at, triangles_at;  // Where the rows begin.
  Point low, high;                                  // The box around all vertices.

  THREADSCAPE_BOTH Point position(int vertex) const { return row(positions_at, vertex); }
  /// It has length 1.
  THREADSCAPE_BOTH Point normal(int vertex) const { return row(normals_at, vertex); }
  /// The vertex at corner 0, 1 or 2, which are counter-clockwise if seen from outside.
  THREADSCAPE_BOTH int corner(int triangle, int corner) const { return words[triangles_at + 3ll * triangle + corner]; }
  THREADSCAPE_BOTH Point row(unsigned at, int i) const {
    const float* const numbers = (const float*)words + at + 3ll * i;
    return {numbers[0], numbers[1], numbers[2]};
  }
};

/// A list of N numbers, which is a parameter.
template <int N>
struct List {
  float values[N];
  THREADSCAPE_BOTH float operator[](int i) const { return values[i]; }
};

/// Data that are read alone: Image<const T> for Image<T>.
template <class T>
struct Reading {
  using type = T;
};
template <template <class> class Data, class T>
struct Reading<Data<T>> {
  using type = Data<const T>;
};
template <class A, class B>
constexpr bool same_type = false;
template <class A>
constexpr bool same_type<A, A> = true;

/// Says if a kernel takes what the launches of a head give. The program asks this for each pass.
template <class Kernel>
struct Launch {
  template <class... Given>
  static constexpr bool fits = false;
};
template <class... Taken>
struct Launch<void(Taken...)> {
  template <class... Given>
  THREADSCAPE_BOTH static constexpr bool all() {
    if constexpr (sizeof...(Given) == sizeof...(Taken))
      return ((same_type<Taken, Given> || same_type<Taken, typename Reading<Given>::type>)&&...);
    else
      return false;
  }
  template <class... Given>
  static constexpr bool fits = all<Given...>();
};
