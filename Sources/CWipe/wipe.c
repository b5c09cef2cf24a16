// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CWipe.h"

#include <malloc.h>
#include <string.h>

// A sanitizer has an allocator of its own, which overwrites or poisons what is freed.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define A11Y_HAS_OWN_ALLOCATOR 1
#endif

#ifndef A11Y_HAS_OWN_ALLOCATOR

extern void __libc_free(void *pointer);

/// glibc sets this bit of the word before a block that has pages of its own. The kernel takes them
/// back when it is freed, and to overwrite them first would be to ask for those never touched.
static const size_t has_own_pages = 2;

/// Stands in the place of the C library's function, for the program and for all its libraries.
void free(void *pointer) {
    if (pointer && !(((const size_t *)pointer)[-1] & has_own_pages))
        explicit_bzero(pointer, malloc_usable_size(pointer));
    __libc_free(pointer);
}

#endif
