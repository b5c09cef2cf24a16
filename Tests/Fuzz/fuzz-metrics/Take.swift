// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import FuzzKit

/// Takes one input of libFuzzer's, which has the main function.
@c(LLVMFuzzerTestOneInput)
public func take(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.metrics.take(bytes, count)
}
