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

#if defined(__APPLE__)
#include <mach/mach.h>

size_t resident_bytes(void) {
    mach_task_basic_info_data_t information;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&information, &count) != KERN_SUCCESS) return 0;
    return information.resident_size;
}
#elif defined(__linux__)
#include <stdio.h>
#include <unistd.h>

size_t resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file) return 0;
    if (fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}
#else
size_t resident_bytes(void) { return 0; }
#endif
