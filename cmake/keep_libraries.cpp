// Replaces dlclose() in sanitizer builds. Libraries that are opened at run time, such as GL drivers, stay loaded, so
// that reports can name them and cmake/lsan.supp can suppress the leaks of drivers.
extern "C" int dlclose(void*) {
  return 0;
}
