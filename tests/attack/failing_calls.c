// A library for LD_PRELOAD, which scripts/attack compiles. It makes one call of a process fail: the ATTACK_NTH call,
// counted from 1, of the function ATTACK_CALL (open, read, write, rename, close, mmap or malloc). Memory fails where
// the program itself or the C++ library asks for it, because other libraries are not written for that. With
// ATTACK_SIGNAL the call does not fail, but the process gets this signal before it.
//
// With ATTACK_SERVER, main() runs for each request that comes on standard input, in a process of its own, so that the
// libraries are loaded once and not for every run. A request is the number of its bytes in four bytes, and strings that
// end with a zero: the folder, variables as NAME=VALUE, an empty string, and the arguments. Messages go to the file
// `err` in the folder. A run that takes ATTACK_SECONDS ends by SIGALRM. The answer is a line with the status of the
// process and the KiB that it has taken.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char chosen[16];
static long nth;
static int sent;  // The signal that comes in the place of a failure; 0 if none.
static atomic_long calls;

static struct {
  uintptr_t begin, end;
} ours[8];  // The code of the program and of the C++ library.
static int parts;

static int add_part(struct dl_phdr_info *info, size_t size, void *first) {
  (void)size;
  const int is_program = *(int *)first;
  *(int *)first = 0;
  if (!is_program && strstr(info->dlpi_name, "libstdc++") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum && parts < 8; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    ours[parts].begin = info->dlpi_addr + part->p_vaddr;
    ours[parts].end = ours[parts].begin + part->p_memsz;
    ++parts;
  }
  return 0;
}

static void arm(void) {
  const char *name = getenv("ATTACK_CALL"), *number = getenv("ATTACK_NTH"), *signal_number = getenv("ATTACK_SIGNAL");
  if (name != NULL) strncpy(chosen, name, sizeof chosen - 1);
  sent = signal_number != NULL ? atoi(signal_number) : 0;
  nth = number != NULL ? atol(number) : 0;
}

__attribute__((constructor)) static void prepare(void) {
  int first = 1;
  dl_iterate_phdr(add_part, &first);
  arm();
}

// Counts a call of this function. Returns 1 and sets errno if it is the one that fails.
static int fails(const char *name, int error) {
  if (nth == 0 || strcmp(chosen, name) != 0 || atomic_fetch_add(&calls, 1) + 1 != nth) return 0;
  if (sent != 0) return raise(sent), 0;
  errno = error;
  return 1;
}

static int memory_fails(const void *caller) {
  if (nth == 0 || chosen[0] != 'm' || chosen[1] != 'a') return 0;
  for (int i = 0; i < parts; ++i)
    if ((uintptr_t)caller >= ours[i].begin && (uintptr_t)caller < ours[i].end) return fails("malloc", ENOMEM);
  return 0;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN(name, parameters, folder)                                  \
  int name parameters {                                                 \
    mode_t mode = 0;                                                    \
    if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {   \
      va_list rest;                                                     \
      va_start(rest, flags);                                            \
      mode = va_arg(rest, mode_t);                                      \
      va_end(rest);                                                     \
    }                                                                   \
    return fails("open", EIO) ? -1 : open_at(folder, path, flags, mode); \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

ssize_t read(int file, void *to, size_t bytes) { return fails("read", EIO) ? -1 : syscall(SYS_read, file, to, bytes); }
ssize_t write(int file, const void *from, size_t bytes) {
  return fails("write", ENOSPC) ? -1 : syscall(SYS_write, file, from, bytes);
}
ssize_t pwrite(int file, const void *from, size_t bytes, off_t at) {
  return fails("write", ENOSPC) ? -1 : syscall(SYS_pwrite64, file, from, bytes, at);
}
ssize_t pwrite64(int file, const void *from, size_t bytes, off_t at) { return pwrite(file, from, bytes, at); }

int rename(const char *from, const char *to) { return fails("rename", EIO) ? -1 : (int)syscall(SYS_rename, from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  return fails("rename", EIO) ? -1 : (int)syscall(SYS_renameat2, a, from, b, to, flags);
}
int linkat(int a, const char *from, int b, const char *to, int flags) {
  return fails("rename", EIO) ? -1 : (int)syscall(SYS_linkat, a, from, b, to, flags);
}

// The file is closed all the same, as Linux does.
int close(int file) {
  const int result = (int)syscall(SYS_close, file);
  return result == 0 && fails("close", EIO) ? -1 : result;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
  return fails("mmap", ENOMEM) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}
void *mmap64(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
  return mmap(at, bytes, protection, flags, file, offset);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
void *malloc(size_t bytes) { return memory_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) {
  return memory_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}
void *realloc(void *block, size_t bytes) {
  return memory_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  return memory_fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}

typedef int Main(int count, char **words, char **variables);
static Main *program_main;

static int run_request(char *at, const char *end, char *program) {
  const int errors = chdir(at) == 0 ? open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1,
            none = open("/dev/null", O_RDWR);
  if (dup2(none, 0) < 0 || dup2(none, 1) < 0 || dup2(errors, 2) < 0) return 126;
  close(none);
  close(errors);
  for (at += strlen(at) + 1; *at != '\0'; at += strlen(at) + 1)
    putenv(at);
  char *words[64] = {program};
  int count = 1;
  for (++at; at < end && count < 63; at += strlen(at) + 1)
    words[count++] = at;
  const char *fill = getenv("MALLOC_PERTURB_"), *seconds = getenv("ATTACK_SECONDS");
  if (fill != NULL) mallopt(M_PERTURB, atoi(fill));
  if (seconds != NULL) alarm((unsigned)atoi(seconds));
  arm();
  unsetenv("LD_PRELOAD");
  unsetenv("ATTACK_SERVER");
  return program_main(count, words, environ);
}

static int read_whole(char *to, size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = read(0, to, bytes);
    if (got <= 0) return 0;
    to += got;
    bytes -= (size_t)got;
  }
  return 1;
}

static int serve(int count, char **words, char **variables) {
  if (getenv("ATTACK_SERVER") == NULL) return program_main(count, words, variables);
  static char request[1 << 16];
  uint32_t bytes;
  while (read_whole((char *)&bytes, sizeof bytes) && bytes < sizeof request && read_whole(request, bytes)) {
    const pid_t child = fork();
    if (child == 0) return run_request(request, request + bytes, words[0]);
    int status = 0;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) return 1;
    dprintf(1, "%d %ld\n", status, usage.ru_maxrss);
  }
  return 0;
}

int __libc_start_main(Main *start, int count, char **words, void (*init)(void), void (*end)(void), void (*unload)(void),
                      void *stack) {
  program_main = start;
  int (*next)(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  return next(serve, count, words, init, end, unload, stack);
}
