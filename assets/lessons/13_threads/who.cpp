// sketch: who    title: The thread of each row, by its brightness
// reads: picture gray u8    makes: picture gray u8
// param: chunk = 0 (0..64)  "rows that a thread gets at a time; 0 for one piece each"

#include "threadscape.h"

#include <omp.h>

void who(Image<const unsigned char> in, Image<unsigned char> out, int chunk) {
  omp_set_schedule(omp_sched_static, chunk);
#pragma omp parallel for num_threads(4) schedule(runtime)
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      out(x, y) = (in(x, y) + 3 * (30 + 60 * omp_get_thread_num())) / 4;
}
