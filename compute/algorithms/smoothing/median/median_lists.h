#pragma once
// Medians from a list of the window's own keys, the two steps that source document 004 took: sorting the whole list,
// and looking for one place of it only. Serial code and kernels share them; they are there to be compared with the
// histograms and networks that the other variants use.

#include "compute/kernel/views.h"

namespace threadscape::median {

/// The largest window, in values, that these variants hold in a list; larger ones take the next better way.
inline constexpr int max_list = 81;

/// Sorts `count` keys in ascending order: of two neighbours in the wrong order, the larger one moves up, until a round
/// finds none. count * (count - 1) / 2 comparisons at most.
template <class Key>
TS_HD void bubble_sort(Key* keys, int count) {
  for (int end = count - 1; end > 0;) {
    int last = 0;  // Beyond the last exchange all keys are in order.
    for (int i = 0; i < end; ++i)
      if (keys[i + 1] < keys[i]) {
        const Key larger = keys[i];
        keys[i] = keys[i + 1];
        keys[i + 1] = larger;
        last = i;
      }
    end = last;
  }
}

/// The key of this rank, by Hoare's FIND (Algorithm 65, 1961): the part that contains the place `rank` is divided into
/// smaller and larger keys until it is a single one. About 3.4 * count comparisons on average for the median.
template <class Key>
TS_HD Key find(Key* keys, int count, int rank) {
  int left = 0, right = count - 1;
  while (left < right) {
    const Key pivot = keys[rank];
    int i = left, j = right;
    do {
      while (keys[i] < pivot)
        ++i;
      while (pivot < keys[j])
        --j;
      if (i <= j) {
        const Key other = keys[i];
        keys[i++] = keys[j];
        keys[j--] = other;
      }
    } while (i <= j);
    if (j < rank) left = i;
    if (rank < i) right = j;
  }
  return keys[rank];
}

}  // namespace threadscape::median
