#include <stddef.h>

/// The bytes that are allocated now, or 0 where the C library has no function for it.
size_t allocated_bytes(void);

/// The bytes of physical memory that the process has now, or 0 where the system doesn't report it.
size_t resident_bytes(void);

/// Makes the C library keep what is freed for what is allocated next, where it can be told to. Otherwise it is chance
/// which of several stores of the same size waits for the system to clear fresh pages, and which finds them ready.
void keep_freed_memory(void);
