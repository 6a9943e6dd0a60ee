#include <stddef.h>

/// The bytes that are allocated now, or 0 where the C library doesn't tell.
size_t allocated_bytes(void);
