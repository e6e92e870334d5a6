#pragma once

namespace threadscape::app {

/// Chooses how threads of OpenMP wait (40 us, then they sleep), unless the user has chosen with OMP_WAIT_POLICY or
/// GOMP_SPINCOUNT. The library reads its environment before main() and offers no function for this. So GOMP_SPINCOUNT
/// takes the place of a variable of shells (`_`, OLDPWD or SHLVL) while libraries are loaded, and this function puts
/// that variable back. In an environment without one, the program is replaced by itself with GOMP_SPINCOUNT in its
/// environment, which loads all libraries twice (0.1 s). To be called first in main(). Returns if nothing had to be
/// done, or if the system refuses, which costs nothing but speed.
void choose_openmp_waiting(char** arguments);

}  // namespace threadscape::app
