// sketch: shares    title: Rows of a triangle, shared by four threads
// reads: sequence i32    makes: sequence i64 (count + 2)
// kernel: shares
// check: shares_reference.cpp

#include "threadscape.h"

#include <omp.h>

#include <algorithm>

// Row i has i + 1 numbers, which one thread adds up. Behind the sums stand a 1 if the schedule is static, and a 1 if no
// thread adds more than a quarter of all numbers and four rows.
template <class Choose>
void add_rows(Sequence<const int> in, Sequence<long long> out, Choose choose) {
  const long long rows = in.count;
  long long added[4] = {};
  choose();
  omp_sched_t kind = omp_sched_auto;
  int chunk = 0;
  omp_get_schedule(&kind, &chunk);
#pragma omp parallel num_threads(4)
  {
    long long own = 0;
#pragma omp for schedule(runtime)
    for (long long i = 0; i < rows; ++i) {
      long long sum = 0;
      for (long long k = 0; k <= i; ++k)
        sum += in[k];
      out[i] = sum;
      own += i + 1;
    }
    added[omp_get_thread_num()] = own;
  }
  out[rows] = (kind & 7) == omp_sched_static;
  out[rows + 1] = *std::max_element(added, added + 4) <= rows * (rows + 1) / 8 + 4 * rows;
}

// gap: the schedule of the loop
void choose_schedule() {
  // Pieces are as long as the rows of half a thread.
  omp_set_schedule(omp_sched_static, 128);
}
// end of gap

void shares(Sequence<const int> in, Sequence<long long> out) {
  add_rows(in, out, choose_schedule);
}
