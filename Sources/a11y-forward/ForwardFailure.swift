// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The reason why the thread has to begin anew.
enum ForwardFailure: Error {
  case bus(String)
  case engine(String)
  /// The plan is another now.
  case replanned
}
