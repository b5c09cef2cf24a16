// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A member whose size the compiler does not know, for large values that many small functions read.
///
/// A value with such a member is passed by its address. Without one, nearly every call that only
/// reads copies the whole value onto the stack: a sixteenth of the time that an event takes.
public struct Sizeless: Sendable {
  private let nothing: any Sendable = ()

  public init() {}
}
