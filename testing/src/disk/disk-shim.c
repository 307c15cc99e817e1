// Preloaded before the C library (LD_PRELOAD, Linux): writes down what a process does to the files below one folder, and
// makes chosen calls fail. Nothing outside of that folder is touched.
//
//   LETHE_DISK_ROOT  the folder, absolute, without symbolic links
//   LETHE_DISK_ALSO  another such folder, as on another disk, or nothing
//   LETHE_DISK_LOG   where the calls are written down, one JSON line each, in the order in which they returned
//   LETHE_DISK_DIE   "K whole|torn": the process is killed (SIGKILL) before its K-th write or flush, or after half of its bytes
//
// A file named ".disk" directly below the folder is the way in: what the process writes there is not written anywhere.
//   "fault CLASS K ERRNO once|from"  from now on the K-th call (1, 2, …) of the class fails, or each from the K-th on.
//                                    CLASS: open write sync read lock any. ERRNO 0: half of the bytes are written.
//   "calm"                           nothing fails any more; the calls of each class since "fault" are written down
//   anything else                    a JSON text that is written down as it is
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { maxFd = 4096, maxPath = 1024, nothing = -1 };
enum class_ { opens, writes, syncs, reads, locks, classes };
static const char *const classNames[] = {"open", "write", "sync", "read", "lock"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root, *also;
static long dieAt = nothing, durable;
static int dieTorn;
static FILE *record;
static char paths[maxFd][maxPath];
static int isWayIn[maxFd];
static long counts[classes + 1];
static int faultClass = nothing, faultErrno, faultForever;
static long faultAt;

#define REAL(type, name, ...)                            \
  static type (*real)(__VA_ARGS__);                      \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int (*realOpen)(const char *, int, ...);

__attribute__((constructor)) static void begin(void) {
  realOpen = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  root = getenv("LETHE_DISK_ROOT");
  const char *file = getenv("LETHE_DISK_LOG");
  if (!root || !file) { root = NULL; return; }
  also = getenv("LETHE_DISK_ALSO");
  const char *die = getenv("LETHE_DISK_DIE");
  char when[8] = "";
  if (die && sscanf(die, "%ld %7s", &dieAt, when) == 2) dieTorn = !strcmp(when, "torn");
  int fd = realOpen(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  record = fd < 0 ? NULL : fdopen(fd, "a");
  if (!record) root = NULL;
}

// The length of the watched folder that the path is in, or 0.
static size_t folderOf(const char *path) {
  const char *folders[] = {root, also};
  for (int i = 0; root && path && i < 2; i++) {
    size_t length = folders[i] ? strlen(folders[i]) : 0;
    if (length && !strncmp(path, folders[i], length) && (path[length] == '/' || !path[length])) return length;
  }
  return 0;
}
static int within(const char *path) { return folderOf(path) > 0; }
static const char *below(const char *path) {
  size_t length = folderOf(path);
  return path[length] ? path + length + 1 : "";
}
static int watched(int fd) { return root && fd >= 0 && fd < maxFd && paths[fd][0]; }

static unsigned long inode(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 ? (unsigned long)s.st_ino : 0;
}

// Whether this call is to fail: its errno, 0 for a short write, nothing for no.
static int fault(enum class_ class) {
  if ((class == writes || class == syncs) && ++durable == dieAt && !dieTorn) raise(SIGKILL);
  counts[class]++;
  counts[classes]++;
  if (faultClass != (int)class && faultClass != classes) return nothing;
  long count = counts[faultClass];
  return count == faultAt || (faultForever && count > faultAt) ? faultErrno : nothing;
}

static void command(const char *text, size_t length) {
  char line[65536], name[16], when[8];
  if (length >= sizeof line) length = sizeof line - 1;
  memcpy(line, text, length);
  line[length] = 0;
  if (sscanf(line, "fault %15s %ld %d %7s", name, &faultAt, &faultErrno, when) == 4) {
    faultClass = classes;
    for (int i = 0; i < classes; i++) if (!strcmp(name, classNames[i])) faultClass = i;
    faultForever = !strcmp(when, "from");
    memset(counts, 0, sizeof counts);
  } else if (!strncmp(line, "calm", 4)) {
    faultClass = nothing;
    fprintf(record, "{\"op\":\"calls\",\"open\":%ld,\"write\":%ld,\"sync\":%ld,\"read\":%ld,\"lock\":%ld,\"any\":%ld}\n",
            counts[opens], counts[writes], counts[syncs], counts[reads], counts[locks], counts[classes]);
    fflush(record);
  } else {
    fprintf(record, "{\"op\":\"told\",\"what\":%s}\n", line);
    fflush(record);
  }
}

static void wrote(int fd, const unsigned char *bytes, size_t count, off_t at) {
  fprintf(record, "{\"op\":\"write\",\"file\":%lu,\"at\":%ld,\"bytes\":\"", inode(fd), (long)at);
  for (size_t i = 0; i < count; i++) fprintf(record, "%02x", bytes[i]);
  fprintf(record, "\"}\n");
  fflush(record);
}

static void forget(int fd) {
  paths[fd][0] = 0;
  isWayIn[fd] = 0;
}
int close(int fd) {
  REAL(int, close, int);
  if (fd >= 0 && fd < maxFd) forget(fd);
  return real(fd);
}

// A file descriptor, or -1 with errno.
static int opened(const char *path, int flags, mode_t mode) {
  if (!realOpen) realOpen = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  if (!within(path)) {
    int other = realOpen(path, flags, mode);
    // Node closes by a bare system call, which is not seen here.
    if (other >= 0 && other < maxFd) forget(other);
    return other;
  }
  pthread_mutex_lock(&lock);
  const char *name = below(path);
  int wayIn = !strcmp(name, ".disk");
  int fd = -1, fails = wayIn ? nothing : fault(opens);
  if (fails > 0) {
    errno = fails;
  } else {
    int fresh = (flags & O_CREAT) && access(path, F_OK) != 0;
    fd = realOpen(path, flags, mode);
    if (fd >= 0 && fd < maxFd) {
      snprintf(paths[fd], maxPath, "%s/", name);
      isWayIn[fd] = wayIn;
      if (!wayIn) {
        fprintf(record, "{\"op\":\"open\",\"path\":\"%s\",\"file\":%lu,\"fresh\":%s}\n", name, inode(fd), fresh ? "true" : "false");
        if ((flags & O_TRUNC) && !fresh) fprintf(record, "{\"op\":\"truncate\",\"file\":%lu,\"size\":0}\n", inode(fd));
        fflush(record);
      }
    }
  }
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return fd;
}

#define OPEN(name)                                                  \
  int name(const char *path, int flags, ...) {                      \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                   \
    return opened(path, flags, mode);                               \
  }
OPEN(open)
OPEN(open64)

// `at` < 0: at the file's own place.
static ssize_t put(int fd, const void *bytes, size_t count, off_t at) {
  static ssize_t (*realWrite)(int, const void *, size_t);
  static ssize_t (*realPwrite)(int, const void *, size_t, off64_t);
  if (!realWrite) realWrite = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (!realPwrite) realPwrite = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  if (!watched(fd)) return at < 0 ? realWrite(fd, bytes, count) : realPwrite(fd, bytes, count, at);
  pthread_mutex_lock(&lock);
  ssize_t done;
  if (isWayIn[fd]) {
    command(bytes, count);
    done = (ssize_t)count;
  } else {
    int fails = fault(writes);
    if (fails > 0) {
      errno = fails;
      done = -1;
    } else {
      int torn = dieTorn && durable == dieAt;
      size_t some = (fails == 0 || torn) && count > 1 ? count / 2 : count;
      off_t place = at < 0 ? lseek(fd, 0, SEEK_CUR) : at;
      done = at < 0 ? realWrite(fd, bytes, some) : realPwrite(fd, bytes, some, at);
      if (done > 0) wrote(fd, bytes, (size_t)done, place);
      if (torn) raise(SIGKILL);
    }
  }
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}

ssize_t write(int fd, const void *bytes, size_t count) { return put(fd, bytes, count, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return put(fd, bytes, count, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return put(fd, bytes, count, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  return watched(fd) && count > 0 ? put(fd, parts[0].iov_base, parts[0].iov_len, -1) : real(fd, parts, count);
}

// Writes down a call that has an outcome and no bytes.
#define AFTER(class, call, ...)                       \
  pthread_mutex_lock(&lock);                          \
  int fails = fault(class), done = -1;                \
  if (dieTorn && durable == dieAt) raise(SIGKILL);    \
  if (fails > 0) errno = fails;                       \
  else done = call;                                   \
  int saved = errno;                                  \
  if (done == 0) { fprintf(record, __VA_ARGS__); fflush(record); } \
  pthread_mutex_unlock(&lock);                        \
  errno = saved

static int synced(int fd, int (*real)(int)) {
  if (!watched(fd)) return real(fd);
  pthread_mutex_lock(&lock);
  int fails = fault(syncs), done = -1;
  if (dieTorn && durable == dieAt) raise(SIGKILL);
  if (fails > 0) errno = fails;
  else done = real(fd);
  int saved = errno;
  fprintf(record, "{\"op\":\"sync\",\"file\":%lu,\"failed\":%s}\n", inode(fd), done == 0 ? "false" : "true");
  fflush(record);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}
int fsync(int fd) { REAL(int, fsync, int); return synced(fd, real); }
int fdatasync(int fd) { REAL(int, fdatasync, int); return synced(fd, real); }

static int cut(int fd, off64_t size) {
  REAL(int, ftruncate64, int, off64_t);
  if (!watched(fd)) return real(fd, size);
  AFTER(writes, real(fd, size), "{\"op\":\"truncate\",\"file\":%lu,\"size\":%ld}\n", inode(fd), (long)size);
  return done;
}
int ftruncate(int fd, off_t size) { return cut(fd, size); }
int ftruncate64(int fd, off64_t size) { return cut(fd, size); }

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  if (!within(from)) return real(from, to);
  AFTER(writes, real(from, to), "{\"op\":\"rename\",\"from\":\"%s\",\"to\":\"%s\"}\n", below(from), below(to));
  return done;
}
int unlink(const char *path) {
  REAL(int, unlink, const char *);
  if (!within(path)) return real(path);
  AFTER(writes, real(path), "{\"op\":\"remove\",\"path\":\"%s\"}\n", below(path));
  return done;
}
int rmdir(const char *path) {
  REAL(int, rmdir, const char *);
  if (!within(path)) return real(path);
  AFTER(writes, real(path), "{\"op\":\"remove\",\"path\":\"%s\"}\n", below(path));
  return done;
}
int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  if (!within(path)) return real(path, mode);
  AFTER(writes, real(path, mode), "{\"op\":\"mkdir\",\"path\":\"%s\"}\n", below(path));
  return done;
}

// Reads and locks are only made to fail.
static int refused(int fd, enum class_ class) {
  if (!watched(fd)) return 0;
  pthread_mutex_lock(&lock);
  int fails = fault(class);
  pthread_mutex_unlock(&lock);
  if (fails > 0) errno = fails;
  return fails > 0;
}
ssize_t read(int fd, void *bytes, size_t count) {
  REAL(ssize_t, read, int, void *, size_t);
  return refused(fd, reads) ? -1 : real(fd, bytes, count);
}
static ssize_t get(int fd, void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, pread64, int, void *, size_t, off64_t);
  return refused(fd, reads) ? -1 : real(fd, bytes, count, at);
}
ssize_t pread(int fd, void *bytes, size_t count, off_t at) { return get(fd, bytes, count, at); }
ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) { return get(fd, bytes, count, at); }

static void *mapped(void *to, size_t length, int protection, int flags, int fd, off64_t at) {
  REAL(void *, mmap64, void *, size_t, int, int, int, off64_t);
  return refused(fd, reads) ? MAP_FAILED : real(to, length, protection, flags, fd, at);
}
void *mmap(void *to, size_t length, int protection, int flags, int fd, off_t at) {
  return mapped(to, length, protection, flags, fd, at);
}
void *mmap64(void *to, size_t length, int protection, int flags, int fd, off64_t at) {
  return mapped(to, length, protection, flags, fd, at);
}

static int controlled(int fd, int what, void *argument) {
  REAL(int, fcntl64, int, int, ...);
  int locking = what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
  // Giving a lock back does not fail.
  if (locking && ((struct flock *)argument)->l_type != F_UNLCK && refused(fd, locks)) return -1;
  return real(fd, what, argument);
}
#define FCNTL(name)                              \
  int name(int fd, int what, ...) {              \
    va_list rest;                                \
    va_start(rest, what);                        \
    void *argument = va_arg(rest, void *);       \
    va_end(rest);                                \
    return controlled(fd, what, argument);       \
  }
FCNTL(fcntl)
FCNTL(fcntl64)
