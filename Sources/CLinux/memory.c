// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CLinux.h"

/// Code and constants are never written to, so whatever of them is unmapped comes back from the
/// file when needed.
static int forget_code(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
        uintptr_t start = (object->dlpi_addr + header->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + header->p_vaddr + header->p_memsz) & ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void linux_give_back(void) { malloc_trim(0); }

void linux_forget_start(void) { dl_iterate_phdr(forget_code, NULL); }
