#include "app/platform/free_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace threadscape::app {

void share_one_heap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace threadscape::app
