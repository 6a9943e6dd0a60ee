#include "AllocatedMemory.h"
#include <stdlib.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>

size_t allocated_bytes(void) {
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
}

void keep_freed_memory(void) {}
#elif defined(__GLIBC__)
#include <malloc.h>

size_t allocated_bytes(void) {
    struct mallinfo2 information = mallinfo2();
    // What is small comes from the heaps, what is large from the system.
    return information.uordblks + information.hblkhd;
}

void keep_freed_memory(void) {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
}
#else
size_t allocated_bytes(void) { return 0; }

void keep_freed_memory(void) {}
#endif
