// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A question to a foreign program about one of its objects.
package struct SourceQuestion: Hashable, Sendable {
  /// The thing that is asked for.
  package enum Topic: Hashable, Sendable {
    /// The name of the program, by its root.
    case program
    /// Role, attributes and name, and the region around it.
    case facts
    /// Role and name of an object that has become active, which may be a window.
    case window
    /// The facts with everything that is spoken of the control with the focus.
    case control
    /// The same of a page that has loaded.
    case page
    /// The whole text of an object, with the texts of the objects in it.
    case text
    /// The texts of the objects in an inserted text, whose place in the object is known.
    case parts(of: String, at: Int64)
    /// The live regions among the objects in an inserted text.
    case regions(of: String, at: Int64)
    /// The texts of the objects in an object, one by one.
    case members
    /// The texts within an alert.
    case labels
    /// The present value with its bounds.
    case value
    /// The choice in a combo box.
    case choice
    /// The title and the texts of a dialog.
    case dialog

    /// Whether it is about a text that comes or goes.
    var isOfText: Bool {
      switch self {
      case .facts, .text, .parts, .regions, .members: true
      case .program, .window, .control, .page, .labels, .value, .choice, .dialog: false
      }
    }
  }

  package let topic: Topic
  package let source: SourceObject

  package init(_ topic: Topic, _ source: SourceObject) {
    self.topic = topic
    self.source = source
  }
}

/// The answer to a question; each kind has its topic.
package enum SourceAnswer: Equatable, Sendable {
  case program(name: String, process: Int64? = nil)
  case facts(SourceFacts)
  case control(ControlFacts)
  /// The text of an object, and the label that its page gives it.
  case text(String, label: String = "")
  /// The texts of objects: the answer for parts and for members.
  case parts([TextPart])
  case objects([SourceObject])
  case value(present: Double, lowest: Double, highest: Double, text: String? = nil)
  case dialog(title: String, text: String)
  /// The program has refused, or has not answered in time.
  case none
}

/// The text of an object, and the objects in which it was found.
package struct TextPart: Equatable, Sendable {
  package let source: SourceObject
  package let text: String
  /// The objects within it, itself not among them.
  package let inner: [SourceObject]

  package init(_ source: SourceObject, _ text: String, inner: [SourceObject] = []) {
    self.source = source
    self.text = text
    self.inner = inner
  }
}
