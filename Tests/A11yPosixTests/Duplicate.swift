// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A second number for an open descriptor, as a child inherits it.
func duplicate(_ number: Int32) -> Int32? {
  let copy = dup(number)
  return copy < 0 ? nil : copy
}
