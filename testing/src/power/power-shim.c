// Preloaded before the C library (LD_PRELOAD, Linux) into a server of several processes: cuts its power at a chosen write or flush, and writes down
// what a power failure takes back.
//
//   LETHE_POWER_CONTROL  a file of at least 64 bytes that all processes share: see struct control
//   LETHE_POWER_LOG      where each write to a regular file is written down before it is made, with the bytes that it replaces, and each flush after it
//
// The log has one line a call, and behind the line of a write the bytes: "w TIME INODE AT SIZE BYTES PATH" (SIZE: the file's, BYTES: how many follow) and
// "s TIME INODE" (TIME: when the flush began). Files that are made, renamed, cut off or removed are not taken back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  int64_t at;    // the write or flush before which the power goes; 0: never
  int64_t torn;  // whether half of the bytes of that write are still written
  int64_t count; // writes and flushes since `at` was set
  int64_t off;   // whether the power is off: nothing is written any more
  int64_t lies;  // whether flushes of PostgreSQL's log are not written down: a disk that says that it has written what it has not
  int64_t time;
};

static struct control *control;
static int record = -1;
static pid_t server;

#define REAL(type, name, ...)             \
  static type (*real)(__VA_ARGS__);       \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static ssize_t realWrite(int fd, const void *bytes, size_t count) {
  REAL(ssize_t, write, int, const void *, size_t);
  return real(fd, bytes, count);
}
static ssize_t realPwrite(int fd, const void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  return real(fd, bytes, count, at);
}

__attribute__((constructor)) static void begin(void) {
  const char *shared = getenv("LETHE_POWER_CONTROL"), *log = getenv("LETHE_POWER_LOG");
  if (!shared || !log) return;
  int fd = open(shared, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *memory = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  record = open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (memory == MAP_FAILED || record < 0) return;
  server = getpid();
  control = memory;
}

static int isFile(int fd, struct stat *about) {
  return control && fd != record && fstat(fd, about) == 0 && S_ISREG(about->st_mode);
}

static void die(void) {
  __atomic_store_n(&control->off, 1, __ATOMIC_SEQ_CST);
  kill(server, SIGKILL);
  raise(SIGKILL);
}

// Whether this is the call at which the power goes.
static int isLast(void) {
  if (__atomic_load_n(&control->off, __ATOMIC_SEQ_CST)) raise(SIGKILL);
  int64_t at = __atomic_load_n(&control->at, __ATOMIC_SEQ_CST);
  return at > 0 && __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST) == at;
}

// The length of a file's path, which is put into `path`; less than 0 where there is none.
static ssize_t pathOf(int fd, char *path, size_t most) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, most - 1);
  if (length >= 0) path[length] = 0;
  return length;
}

// Writes down what the next `count` bytes from `at` replace.
static void keep(int fd, const struct stat *about, off64_t at, size_t count) {
  char path[1024];
  if (pathOf(fd, path, sizeof path) < 0) return;
  char *line = malloc(count + 1200);
  off64_t left = about->st_size > at ? about->st_size - at : 0;
  size_t old = left < (off64_t)count ? (size_t)left : count;
  int64_t time = __atomic_fetch_add(&control->time, 1, __ATOMIC_SEQ_CST);
  // The file may be open for writing alone.
  unsigned char *bytes = malloc(old + 1);
  int again = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = again < 0 ? 0 : pread64(again, bytes, old, at);
  if (again >= 0) close(again);
  if (got < 0) got = 0;
  int head = snprintf(line, 1200, "w %ld %lu %ld %ld %ld %s\n", (long)time, (unsigned long)about->st_ino, (long)at, (long)about->st_size, (long)got, path);
  memcpy(line + head, bytes, (size_t)got);
  realWrite(record, line, (size_t)head + (size_t)got);
  free(bytes);
  free(line);
}

static off64_t placeOf(int fd, const struct stat *about) {
  return fcntl(fd, F_GETFL) & O_APPEND ? about->st_size : lseek64(fd, 0, SEEK_CUR);
}

// Before a write of `count` bytes: whether it is the last, of which half may be written.
static int beforeWrite(int fd, off64_t at, size_t count) {
  struct stat about;
  if (!isFile(fd, &about)) return 0;
  int last = isLast();
  if (last && !control->torn) die();
  keep(fd, &about, at < 0 ? placeOf(fd, &about) : at, count);
  return last;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  if (beforeWrite(fd, -1, count)) { realWrite(fd, bytes, count / 2); die(); }
  return realWrite(fd, bytes, count);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  if (beforeWrite(fd, at, count)) { realPwrite(fd, bytes, count / 2, at); die(); }
  return realPwrite(fd, bytes, count, at);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

static size_t sizeOf(const struct iovec *parts, int n) {
  size_t size = 0;
  for (int i = 0; i < n; i++) size += parts[i].iov_len;
  return size;
}
ssize_t writev(int fd, const struct iovec *parts, int n) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (beforeWrite(fd, -1, sizeOf(parts, n))) { realWrite(fd, parts[0].iov_base, parts[0].iov_len / 2); die(); }
  return real(fd, parts, n);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int n, off64_t at) {
  REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t);
  if (beforeWrite(fd, at, sizeOf(parts, n))) { realPwrite(fd, parts[0].iov_base, parts[0].iov_len / 2, at); die(); }
  return real(fd, parts, n, at);
}
ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t at) { return pwritev64(fd, parts, n, at); }

static int flushed(int fd, int (*real)(int)) {
  struct stat about;
  if (!isFile(fd, &about)) return real(fd);
  if (isLast()) die();
  int64_t time = __atomic_fetch_add(&control->time, 1, __ATOMIC_SEQ_CST);
  int result = real(fd);
  char line[64], path[1024];
  int isLie = control->lies && pathOf(fd, path, sizeof path) >= 0 && strstr(path, "/pg_wal/");
  if (result == 0 && !isLie) {
    int length = snprintf(line, sizeof line, "s %ld %lu\n", (long)time, (unsigned long)about.st_ino);
    realWrite(record, line, (size_t)length);
  }
  return result;
}
int fsync(int fd) {
  REAL(int, fsync, int);
  return flushed(fd, real);
}
int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  return flushed(fd, real);
}
