// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yModel
package import A11yWire

/// The state right after an entry, kept while the bus goes on.
package struct Picture {
  private let presenter: Presenter
  package let after: Seq
  /// The app that may see its own windows alone; nil where everything is shown.
  private let app: AppKey?

  package init(presenter: Presenter, after: Seq, only app: AppKey?) {
    self.presenter = presenter
    self.after = after
    self.app = app
  }

  func writeState(cursor: Cursor, into out: inout ByteBuffer) {
    presenter.writeState(cursor: cursor, only: app, into: &out)
  }
}

/// A question about the state at an earlier entry, which only the log can answer.
///
/// Until it is answered, later lines of its connection wait, and no entry of a subscription goes
/// out: replies keep the order of the requests, and the mark comes first.
package struct Inquiry {
  /// The use of the answer.
  enum Purpose {
    /// The reply to `state`, with the id as it was written.
    case reply(id: [UInt8])
    /// The first mark of a subscription.
    case mark
  }

  /// The entry right after which the state is asked for.
  package let seq: Seq
  /// The app that may see its own windows alone; nil where everything is shown.
  package let app: AppKey?
  private let purpose: Purpose

  init(_ seq: Seq, only app: AppKey?, _ purpose: Purpose) {
    self.seq = seq
    self.app = app
    self.purpose = purpose
  }

  /// Whether a subscription waits for the answer as its first mark.
  package var opensSubscription: Bool {
    switch purpose {
    case .reply: false
    case .mark: true
    }
  }

  /// Appends the line with the answer.
  package func answer(_ picture: Picture, cursor: Cursor, into out: inout ByteBuffer) {
    switch purpose {
    case .reply(let id):
      out.object { out in
        out.append(member: "id")
        out.append(id.span)
        out.append(member: "ok")
        picture.writeState(cursor: cursor, into: &out)
      }
      out.append("\n")
    case .mark: Mark.state(picture, cursor).write(into: &out)
    }
  }
}
