// The declarations of Apple's C library that the library and its tool use, as Swift sees them on Apple platforms: with their
// nullability, and with the types that are others on Linux. To check calls of them; there is no code.

#include <stddef.h>
// Foundation has these structures, and a structure has one definition.
#include <dirent.h>
#include <sys/stat.h>
#include <time.h>

#pragma clang assume_nonnull begin

// pthread.h
typedef unsigned long pthread_key_t;
typedef struct _opaque_pthread_t *pthread_t;
struct _opaque_pthread_t { long __sig; };

int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *));
int pthread_setspecific(pthread_key_t, const void *_Nullable);
void *_Nullable pthread_getspecific(pthread_key_t);
pthread_t pthread_self(void);
int pthread_main_np(void);
void *pthread_get_stackaddr_np(pthread_t);
unsigned long pthread_get_stacksize_np(pthread_t);

typedef struct { long __sig; } pthread_attr_t;

int pthread_create(
    pthread_t _Nullable *, const pthread_attr_t *_Nullable, void *_Nullable (*)(void *), void *_Nullable);
int pthread_join(pthread_t, void *_Nullable *_Nullable);

// mach-o/dyld.h
struct mach_header { unsigned int magic; };

unsigned int _dyld_image_count(void);
const char *_Nullable _dyld_get_image_name(unsigned int);
const struct mach_header *_Nullable _dyld_get_image_header(unsigned int);

// os/lock.h
typedef struct os_unfair_lock_s { unsigned int _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;

void os_unfair_lock_lock(os_unfair_lock_t);
void os_unfair_lock_unlock(os_unfair_lock_t);

// stdlib.h, unistd.h
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

char *_Nullable getenv(const char *);
void exit(int) __attribute__((noreturn));
long write(int, const void *_Nullable, size_t);

// fcntl.h, errno.h, stdio.h, time.h. Swift's own module has the functions with variable arguments like this.
#define O_RDONLY 0x0000
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_CLOEXEC 0x1000000
#define F_FULLFSYNC 51
#define ENOENT 2
#define EINTR 4
#define EEXIST 17
#define ENOTSUP 45

extern int errno __attribute__((swift_attr("nonisolated(unsafe)")));
int open(const char *, int, mode_t);
int fcntl(int, int);
int close(int);
int fsync(int);
int ftruncate(int, off_t);
int rename(const char *, const char *);
int unlink(const char *);
long pread(int, void *_Null_unspecified, size_t, off_t);
long pwrite(int, const void *_Null_unspecified, size_t, off_t);

#pragma clang assume_nonnull end
