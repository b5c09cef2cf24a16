// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yModel
package import A11yWire

/// What the presenter knew right after an entry, kept while the bus goes on.
package struct Picture {
  private let presenter: Presenter
  package let after: Seq
  /// The app that is shown its own alone; nil for those who may see everything.
  private let app: AppKey?

  package init(presenter: Presenter, after: Seq, only app: AppKey?) {
    self.presenter = presenter
    self.after = after
    self.app = app
  }

  func write(cursor: Cursor, into out: inout ByteBuffer) {
    presenter.writeState(cursor: cursor, only: app, into: &out)
  }
}

/// A question about the state at an earlier entry, which only the log can answer.
///
/// Until it is answered, nothing that its connection has sent after it is worked on, and nothing of
/// a subscription goes out: replies keep the order of the requests, and the mark comes first.
package struct Inquiry {
  /// What the answer is.
  enum Purpose {
    /// The reply to `state`, with the id as it was written.
    case reply(id: [UInt8])
    /// The first mark of a subscription.
    case mark
  }

  /// The state that is asked for is the one right after this entry.
  package let seq: Seq
  /// The app that is shown its own alone; nil for those who may see everything.
  package let app: AppKey?
  private let purpose: Purpose

  init(_ seq: Seq, only app: AppKey?, _ purpose: Purpose) {
    self.seq = seq
    self.app = app
    self.purpose = purpose
  }

  /// Whether it is a subscription that begins with the answer, and cannot without.
  package var opensSubscription: Bool {
    switch purpose {
    case .reply: false
    case .mark: true
    }
  }

  /// Appends the line that answers it.
  package func answer(_ picture: Picture, cursor: Cursor, into out: inout ByteBuffer) {
    switch purpose {
    case .reply(let id):
      out.append("{\"id\":")
      out.append(id.span)
      out.append(",\"ok\":")
      picture.write(cursor: cursor, into: &out)
      out.append("}\n")
    case .mark: Mark.state(picture, cursor).write(into: &out)
    }
  }
}
