// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// A window, by its app and its name.
struct WindowPlace: Hashable, Sendable {
  let app: AppKey
  let window: Name
}

/// An element, by its app, its window and its name.
public struct ElementPlace: Hashable, Sendable {
  let app: AppKey
  let window: Name
  let element: Name

  public init(app: AppKey, window: Name, element: Name) {
    self.app = app
    self.window = window
    self.element = element
  }
}

/// An app of a user.
///
/// Apps of one name that run for two users are two apps.
public struct AppKey: TableKey, Sendable {
  public let uid: UInt32
  public let app: Name

  public init(uid: UInt32, app: Name) {
    self.uid = uid
    self.app = app
  }

  public var tableNumber: Int64 { Int64(app.mark &+ Int(uid)) }
}
