#pragma once

namespace threadscape::app {

/// The pauses that a thread of OpenMP spins for work before it sleeps, about 40 us: as long as it takes to put a thread
/// to sleep and to wake it. GNU's OpenMP spins 300000 pauses, up to 12 ms, and then threads that wait take the cores
/// away from the threads that they wait for, as soon as other programs run: a filter of 19 ms took 2.7 s.
inline constexpr const char* openmp_spin_count = "1000";

/// Chooses how threads of OpenMP wait, unless the user has chosen with OMP_WAIT_POLICY or GOMP_SPINCOUNT. The library
/// reads its environment before main() and offers no function for this, so the program is replaced by itself with
/// GOMP_SPINCOUNT in its environment. To be called first in main(). Returns if nothing had to be done, or if the system
/// refuses, which costs nothing but speed.
void choose_openmp_waiting(char** arguments);

}  // namespace threadscape::app
