#include "app/platform/openmp_waiting.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>

namespace threadscape::app {

namespace {

/// The number of pauses that a thread of OpenMP spins for work before it sleeps, about 40 us: as long as it takes to
/// put a thread to sleep and to wake it. GNU's OpenMP spins 300000 pauses, up to 12 ms, and then threads that wait take
/// the cores away from the threads that they wait for, as soon as other programs run: a filter of 19 ms took 2.7 s.
char spin_count[] = "GOMP_SPINCOUNT=1000";

/// A variable of the environment that gives its place to GOMP_SPINCOUNT until main() begins.
struct LentPlace {
  char** place = nullptr;    ///< In the array of the environment that the kernel has made; null if none is lent.
  char* variable = nullptr;  ///< What belongs there.
};

LentPlace lent;

#ifdef __GLIBC__

// What follows runs before the constructors of all libraries, those of sanitizers and of the C library among them, so
// that it calls no function of a library and is not instrumented.
#define TS_BEFORE_LIBRARIES __attribute__((no_sanitize("address", "thread", "undefined")))

TS_BEFORE_LIBRARIES bool begins_with(const char* text, const char* start) {
  while (*start != '\0')
    if (*text++ != *start++) return false;
  return true;
}

/// Puts GOMP_SPINCOUNT into the environment in the place of a variable that shells set for themselves and that no
/// library reads while it is loaded.
TS_BEFORE_LIBRARIES void lend_place(int, char**, char** environment) {
  char** found = nullptr;
  for (char** place = environment; *place != nullptr; ++place) {
    if (begins_with(*place, "OMP_WAIT_POLICY=") || begins_with(*place, "GOMP_SPINCOUNT=")) return;
    if (begins_with(*place, "_=") || begins_with(*place, "OLDPWD=") || begins_with(*place, "SHLVL=")) found = place;
  }
  if (found == nullptr) return;
  lent.place = found;
  lent.variable = *found;
  *found = spin_count;
}

// The dynamic linker calls the functions in this section first of all. Only that of glibc hands them the environment.
__attribute__((section(".preinit_array"), used)) void (*const lend_first)(int, char**, char**) = lend_place;

#endif

}  // namespace

void choose_openmp_waiting(char** arguments) {
  if (lent.place != nullptr) {
    *lent.place = lent.variable;
    lent = {};
    return;
  }
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  // Once the variable is set, the replaced program returns above.
  if (putenv(spin_count) != 0) return;
  execv("/proc/self/exe", arguments);
}

}  // namespace threadscape::app
