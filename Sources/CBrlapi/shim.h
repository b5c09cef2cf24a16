// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#define BRLAPI_NO_SINGLE_SESSION
#include <brlapi.h>

// The numbers that the header has as macros of a form that Swift does not read.
static const brlapi_keyCode_t brlapi_key_window_left =
    BRLAPI_KEY_TYPE_CMD | BRLAPI_KEY_CMD_FWINLT;
static const brlapi_keyCode_t brlapi_key_window_right =
    BRLAPI_KEY_TYPE_CMD | BRLAPI_KEY_CMD_FWINRT;
static const brlapi_keyCode_t brlapi_key_without_flags = ~BRLAPI_KEY_FLAGS_MASK;
