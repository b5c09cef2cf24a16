// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CBytes.h"

size_t a11y_find_text(const void *bytes, size_t length, const void *text, size_t text_length) {
    const void *hit = memmem(bytes, length, text, text_length);
    return hit ? (size_t)((const uint8_t *)hit - (const uint8_t *)bytes) : length;
}
