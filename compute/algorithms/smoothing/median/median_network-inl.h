// Exact medians of all windows of a tile by one sorting network, for any type V that has lesser() and greater(): a
// number, or a register or vector of numbers. The same source becomes CUDA kernels and CPU code for each instruction
// set, so it has no include guard: the file that includes it chooses the namespace, and defines lesser(a, b),
// greater(a, b) and TS_NETWORK, the attributes of its functions.
//
// Hierarchical tiling, after Sugy: Fast Median Filters with Hierarchical Tiling, SIGGRAPH 2025. The windows of a tile
// of w x h pixels overlap in a core of (k - w + 1) x (k - h + 1) values, which is sorted once. Beside the core lie
// columns and rows that only some of the windows contain; each of them is sorted once as well. With k = 5, w = h = 2:
//
//   . r r r r .      *   the core, in all windows
//   c * * * * c      r   rows beside the core, 2 (h - 1) of them: in the windows of the upper or of the lower pixels
//   c * * * * c      c   columns beside the core, 2 (w - 1) of them: in the windows of the left or of the right pixels
//   c * * * * c      .   in one window only; it joins a row when a half of the tile takes in its column
//   c * * * * c
//   . r r r r .
//
// Then the tile is halved again and again: a half merges the columns (or rows) that all its windows contain into its
// own core. Values that can no longer be the median leave the core at once, so cores stay short: of a 7x7 window
// without its last column 8 of 42 values are left.
//
// Nothing depends on the data: indices are constants, loops are unrolled by templates, and the compiler drops every min
// and max that no result needs.

/// `count` values in ascending order.
template <class V, int count>
struct List {
  V at[count];
};
template <class V>
struct List<V, 0> {};

// ---- Batcher's odd-even merge for two lists of any lengths (Knuth 5.3.4)

/// The values with even indices (offset 0) or odd indices (offset 1) of a list.
template <int offset, class V, int n, int... i>
TS_NETWORK List<V, sizeof...(i)> every_second(const List<V, n>& a, std::integer_sequence<int, i...>) {
  return {{a.at[2 * i + offset]...}};
}
template <class V, int n>
TS_NETWORK auto even_ones(const List<V, n>& a) {
  return every_second<0>(a, std::make_integer_sequence<int, (n + 1) / 2>());
}
template <class V, int n>
TS_NETWORK auto odd_ones(const List<V, n>& a) {
  if constexpr (n < 2)
    return List<V, 0>{};
  else
    return every_second<1>(a, std::make_integer_sequence<int, n / 2>());
}

/// Value i of the merged list, from the merged lists of the values with even and with odd indices.
template <int i, class V, int n, int m>
TS_NETWORK V merged_at(const List<V, n>& even, const List<V, m>& odd) {
  constexpr int pair = (i + 1) / 2;
  if constexpr (i == 0 || pair > m)
    return even.at[pair];
  else if constexpr (pair >= n)
    return odd.at[pair - 1];
  else if constexpr (i % 2 == 1)
    return lesser(odd.at[pair - 1], even.at[pair]);
  else
    return greater(odd.at[pair - 1], even.at[pair]);
}
template <class V, int n, int m, int... i>
TS_NETWORK List<V, n + m> join(const List<V, n>& even, const List<V, m>& odd, std::integer_sequence<int, i...>) {
  return {{merged_at<i>(even, odd)...}};
}
/// The sorted list of all values of two sorted lists.
template <class V, int n, int m>
TS_NETWORK List<V, n + m> merge(const List<V, n>& a, const List<V, m>& b) {
  if constexpr (n == 0)
    return b;
  else if constexpr (m == 0)
    return a;
  else if constexpr (n == 1 && m == 1)
    return {{lesser(a.at[0], b.at[0]), greater(a.at[0], b.at[0])}};
  else
    return join(merge(even_ones(a), even_ones(b)), merge(odd_ones(a), odd_ones(b)),
                std::make_integer_sequence<int, n + m>());
}

/// Values first .. first + sizeof...(i) - 1 of a list.
template <int first, class V, int n, int... i>
TS_NETWORK List<V, sizeof...(i)> part(const List<V, n>& a, std::integer_sequence<int, i...>) {
  return {{a.at[first + i]...}};
}
/// max(a[i - 1], b[j - 1]), where the value at index -1 of a list is less than all others.
template <int i, int j, class V, int n, int m>
TS_NETWORK V greater_of(const List<V, n>& a, const List<V, m>& b) {
  if constexpr (i == 0)
    return b.at[j - 1];
  else if constexpr (j == 0)
    return a.at[i - 1];
  else
    return greater(a.at[i - 1], b.at[j - 1]);
}
/// The value with this rank among those of both lists. The first i values of `a` and the first rank + 1 - i of `b` are
/// rank + 1 values, so their maximum is at least the result; the minimum over all i is the result.
template <int rank, int i, class V, int n, int m>
TS_NETWORK V select(const List<V, n>& a, const List<V, m>& b) {
  if constexpr (i == (rank + 1 < n ? rank + 1 : n))
    return greater_of<i, rank + 1 - i>(a, b);
  else
    return lesser(greater_of<i, rank + 1 - i>(a, b), select<rank, i + 1>(a, b));
}
/// The values with ranks first .. first + count - 1 of the merged list.
template <int first, int count, class V, int n, int m>
TS_NETWORK List<V, count> merge_part(const List<V, n>& a, const List<V, m>& b) {
  if constexpr (count == 1)
    return {{select<first, (first + 1 > m ? first + 1 - m : 0)>(a, b)}};
  else
    return part<first>(merge(a, b), std::make_integer_sequence<int, count>());
}

// ---- Lines of values

/// A source or a sink with x and y exchanged.
template <class Plain>
struct Transposed {
  const Plain& plain;
  TS_NETWORK auto operator()(int x, int y) const { return plain(y, x); }
  template <class V>
  TS_NETWORK void operator()(int x, int y, const V& value) const {
    plain(y, x, value);
  }
};

/// The values source(x, y) .. source(x, y + count - 1), sorted.
template <class V, int x, int y, int count, class Source>
TS_NETWORK List<V, count> sorted_column(const Source& source) {
  if constexpr (count == 1)
    return {{source(x, y)}};
  else
    return merge(sorted_column<V, x, y, count / 2>(source),
                 sorted_column<V, x, y + count / 2, count - count / 2>(source));
}
/// All values of a block of columns x rows values at (x, y), sorted.
template <class V, int x, int y, int columns, int rows, class Source>
TS_NETWORK List<V, columns * rows> sorted_block(const Source& source) {
  if constexpr (columns == 1)
    return sorted_column<V, x, y, rows>(source);
  else
    return merge(sorted_block<V, x, y, columns / 2, rows>(source),
                 sorted_block<V, x + columns / 2, y, columns - columns / 2, rows>(source));
}

/// Sorted lists of equal length, one for each column (or row) beside a core: first those before it, then those after
/// it.
template <class V, int length, int count>
struct Lines {
  List<V, length> at[count];
};
template <class V, int length>
struct Lines<V, length, 0> {};

/// The column (or row) of line i of the 2 (w - 1) lines beside the core of a tile of w pixels at `x`.
template <int k, int x, int w>
constexpr int place_of_line(int i) {
  return i < w - 1 ? x + i : x + k + i - (w - 1);
}
/// The sorted columns beside the core of a tile of w x h pixels at (x, y).
template <class V, int k, int x, int y, int w, int h, class Source, int... i>
TS_NETWORK Lines<V, k - h + 1, sizeof...(i)> columns_beside(const Source& source, std::integer_sequence<int, i...>) {
  if constexpr (w == 1)
    return {};
  else
    return {{sorted_column<V, place_of_line<k, x, w>(i), y + h - 1, k - h + 1>(source)...}};
}
/// Lines first .. first + count - 1 merged into one list.
template <int first, int count, class V, int length, int all>
TS_NETWORK List<V, length * count> merged_lines(const Lines<V, length, all>& lines) {
  if constexpr (count == 1)
    return lines.at[first];
  else
    return merge(merged_lines<first, count / 2>(lines), merged_lines<first + count / 2, count - count / 2>(lines));
}

// ---- Tiles

/// The candidates for the median of a k x k window among `seen` of its values, in ascending order: count() values from
/// index low() on.
template <int k>
struct Candidates {
  static constexpr int all = k * k, rank = all / 2;
  static constexpr int low(int seen) { return seen - all + rank > 0 ? seen - all + rank : 0; }
  static constexpr int count(int seen) { return (seen - 1 < rank ? seen - 1 : rank) - low(seen) + 1; }
};

/// The lines of a half that starts `offset` pixels inside a tile of w pixels.
template <int w, int offset, class V, int length, int all, int... i>
TS_NETWORK Lines<V, length, 2 * sizeof...(i)> lines_of_half(const Lines<V, length, all>& lines,
                                                            std::integer_sequence<int, i...>) {
  if constexpr (sizeof...(i) == 0)
    return {};
  else
    return {{lines.at[offset + i]..., lines.at[w - 1 + offset + i]...}};
}
/// The rows beside the core of a tile of h pixels at y, each with the values of `count` columns from `x` on merged in.
template <int k, int x, int count, int y, int h, class V, int length, int all, class Source, int... i>
TS_NETWORK Lines<V, length + count, all> longer_rows(const Lines<V, length, all>& rows, const Source& source,
                                                     std::integer_sequence<int, i...>) {
  if constexpr (all == 0)
    return {};
  else
    return {{merge(rows.at[i], sorted_column<V, place_of_line<k, y, h>(i), x, count>(Transposed<Source>{source}))...}};
}

/// Finds the medians of the k x k windows of w x h pixels at (x, y) of the tile. `core` holds the candidates among the
/// values that all these windows contain; `columns` and `rows` are the sorted lines beside the core.
template <class V, int k, int x, int y, int w, int h, class Source, class Sink, int kept>
TS_NETWORK void solve(const Source& source, const Sink& sink, const List<V, kept>& core,
                      const Lines<V, k - h + 1, 2 * (w - 1)>& columns, const Lines<V, k - w + 1, 2 * (h - 1)>& rows);

/// solve() for the left half (side 0) or the right half (side 1) of the tile.
template <int side, class V, int k, int x, int y, int w, int h, class Source, class Sink, int kept>
TS_NETWORK void solve_half(const Source& source, const Sink& sink, const List<V, kept>& core,
                           const Lines<V, k - h + 1, 2 * (w - 1)>& columns,
                           const Lines<V, k - w + 1, 2 * (h - 1)>& rows) {
  using Keep = Candidates<k>;
  constexpr int width = side == 0 ? w / 2 : w - w / 2;  // width of the half
  constexpr int offset = side == 0 ? 0 : w / 2;
  constexpr int taken = w - width;                      // columns that all windows of the half contain
  constexpr int first = side == 0 ? width - 1 : w - 1;  // index of the first of them in `columns`
  constexpr int before = (k - w + 1) * (k - h + 1), now = (k - width + 1) * (k - h + 1);
  solve<V, k, x + offset, y, width, h>(
      source, sink,
      merge_part<Keep::low(now) - Keep::low(before), Keep::count(now)>(core, merged_lines<first, taken>(columns)),
      lines_of_half<w, offset>(columns, std::make_integer_sequence<int, width - 1>()),
      longer_rows<k, place_of_line<k, x, w>(first), taken, y, h>(rows, source,
                                                                 std::make_integer_sequence<int, 2 * (h - 1)>()));
}

template <class V, int k, int x, int y, int w, int h, class Source, class Sink, int kept>
TS_NETWORK void solve(const Source& source, const Sink& sink, const List<V, kept>& core,
                      const Lines<V, k - h + 1, 2 * (w - 1)>& columns, const Lines<V, k - w + 1, 2 * (h - 1)>& rows) {
  if constexpr (w == 1 && h == 1) {
    sink(x, y, core.at[0]);
  } else if constexpr (w < h) {
    solve<V, k, y, x, h, w>(Transposed<Source>{source}, Transposed<Sink>{sink}, core, rows, columns);
  } else {
    solve_half<0, V, k, x, y, w, h>(source, sink, core, columns, rows);
    solve_half<1, V, k, x, y, w, h>(source, sink, core, columns, rows);
  }
}

/// Finds the medians of the k x k windows of w x h neighbouring pixels; w and h are less than k. source(x, y) returns a
/// value, 0 <= x < k + w - 1 and 0 <= y < k + h - 1, where the window of pixel (0, 0) starts at (0, 0). The results are
/// passed to sink(x, y, median).
template <class V, int k, int w, int h, class Source, class Sink>
TS_NETWORK void tile_medians(const Source& source, const Sink& sink) {
  using Keep = Candidates<k>;
  constexpr int columns = k - w + 1, rows = k - h + 1, size = columns * rows;
  solve<V, k, 0, 0, w, h>(
      source, sink,
      part<Keep::low(size)>(sorted_block<V, w - 1, h - 1, columns, rows>(source),
                            std::make_integer_sequence<int, Keep::count(size)>()),
      columns_beside<V, k, 0, 0, w, h>(source, std::make_integer_sequence<int, 2 * (w - 1)>()),
      columns_beside<V, k, 0, 0, h, w>(Transposed<Source>{source}, std::make_integer_sequence<int, 2 * (h - 1)>()));
}
