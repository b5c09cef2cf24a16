// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Something of which the compiler does not know how large it is, for large values that are read
/// through many small functions.
///
/// What it is in is handed around by its address. Without it, all of a value of a known size is copied
/// onto the stack for nearly every call that only reads: a sixteenth of the time that an event takes.
public struct Sizeless: Sendable {
  private let nothing: any Sendable = ()

  public init() {}
}
