// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Texts leave the memory when it is freed: a program that is linked with this overwrites all that
/// it frees, so that what was said, and forgotten, is found nowhere in it. There is nothing to call.
