// Only in sanitizer builds: libraries opened at run time (GL drivers) stay loaded, so that reports can name them and the
// leaks of drivers can be told from ours (cmake/lsan.supp).
extern "C" int dlclose(void*) { return 0; }
