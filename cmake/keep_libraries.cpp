// Linked into sanitizer builds only. Libraries opened at run time (GL drivers) stay loaded, so that reports can name
// them and cmake/lsan.supp can suppress the leaks of drivers.
extern "C" int dlclose(void*) {
  return 0;
}
