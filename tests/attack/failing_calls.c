// A library for LD_PRELOAD, which scripts/attack compiles. It makes one call of a process fail: the ATTACK_NTH call,
// counted from 1, of the function ATTACK_CALL (open, read, write, rename, close, mmap or malloc). Memory fails where the
// program itself or the C++ library asks for it, because other libraries are not written for that.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char chosen[16];
static long nth;
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

__attribute__((constructor)) static void prepare(void) {
  int first = 1;
  dl_iterate_phdr(add_part, &first);
  const char *name = getenv("ATTACK_CALL"), *number = getenv("ATTACK_NTH");
  nth = number != NULL ? atol(number) : 0;
  if (name != NULL) strncpy(chosen, name, sizeof chosen - 1);
}

// Counts a call of this function. Returns 1 and sets errno if it is the one that fails.
static int fails(const char *name, int error) {
  if (nth == 0 || strcmp(chosen, name) != 0 || atomic_fetch_add(&calls, 1) + 1 != nth) return 0;
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
