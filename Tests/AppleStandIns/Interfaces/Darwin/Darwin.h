// The declarations of Apple's C library that the library and its tool use, as Swift sees them on Apple platforms: with their
// nullability, and with the types that are others on Linux. To check calls of them; there is no code.

#include <stddef.h>

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

#pragma clang assume_nonnull end
