// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The readers of lines that judge an input; making one costs far more than reading with it.
package struct Readers {
  let request = JSONReader(limit: Limits.lineBytes)
  let answer = JSONReader(limit: Limits.answerBytes)

  package init() {}
}
