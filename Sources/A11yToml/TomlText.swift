// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CxxToml

/// A TOML text as the list of what it sets, in the order of the file.
///
/// The text is read as a whole and copied into Swift values at once: settings and rules are read
/// at start and on reload, where clarity counts for more than a copy.
package struct TomlText {
  package let fileName: String
  /// All that is set, each key by the name that it has today.
  package let entries: [TomlEntry]
  /// What should be changed in the text while it still counts.
  package let warnings: [Complaint]

  /// Bytes of a file that is read; people write far less, and a device is not read for ever.
  package static let largest = 256 * 1_024

  package init(_ bytes: [UInt8], fileName: String) throws(Complaints) {
    try self.init(bytes, fileName: fileName, renamed: RenamedKey.all)
  }

  /// Reads a text in which these keys may have their old names.
  package init(
    _ bytes: [UInt8],
    fileName: String,
    renamed: [RenamedKey]
  ) throws(Complaints) {
    self.fileName = fileName
    var entries = try Self.entries(of: bytes, fileName: fileName)
    var warnings: [Complaint] = []
    for key in renamed {
      for (index, entry) in entries.enumerated() {
        guard let named = key.renaming(entry) else { continue }
        entries[index] = named
        if warnings.count < Complaints.most {
          warnings.append(key.warning(about: entry, in: fileName))
        }
      }
    }
    self.entries = entries
    self.warnings = warnings
  }

  private static func entries(
    of bytes: [UInt8],
    fileName: String
  ) throws(Complaints) -> [TomlEntry] {
    if let complaint = Self.complaint(ofBytes: bytes, fileName: fileName) {
      throw Complaints(complaint)
    }
    let reading = bytes.withUnsafeBytes { text in
      a11y_toml_read(text.baseAddress?.assumingMemoryBound(to: CChar.self) ?? noText, text.count)
    }
    guard let reading else {
      throw Complaints(Complaint(fileName, "there is no memory to read it"))
    }
    defer { a11y_toml_free(reading) }

    if let fault = a11y_toml_error(reading)?.pointee {
      throw Complaints(
        Complaint(
          fileName,
          line: Int(fault.line),
          column: Int(fault.column),
          (fault.is_too_large ? "" : "this is not TOML: ") + String(cString: fault.words)
        ),
        isTooLarge: fault.is_too_large
      )
    }
    var count = 0
    let first = a11y_toml_entries(reading, &count)
    return UnsafeBufferPointer(start: first, count: count).map(TomlEntry.init)
  }

  /// The place of the first byte that is no UTF-8; toml++ reports the character before it, which
  /// may be in another line.
  private static func complaint(ofBytes bytes: [UInt8], fileName: String) -> Complaint? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      let before = bytes[..<error.byteOffsets.lowerBound]
      let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      return Complaint(
        fileName,
        line: lines.count,
        column: String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1,
        "this is not UTF-8"
      )
    }
  }

  /// The address of an empty text; an empty array need not have one.
  private static var noText: UnsafePointer<CChar> {
    UnsafePointer(bitPattern: MemoryLayout<CChar>.alignment)!
  }
}

extension TomlEntry {
  fileprivate init(_ entry: a11y_toml_entry) {
    let items = UnsafeBufferPointer(start: entry.items, count: entry.item_count)
    self.init(
      path: String(bytes: entry.path, count: entry.path_length),
      key: String(bytes: entry.key, count: entry.key_length),
      line: Int(entry.line),
      column: Int(entry.column),
      value: TomlValue(entry.value, items: items)
    )
  }
}

extension TomlValue {
  fileprivate init(_ value: a11y_toml_value, items: UnsafeBufferPointer<a11y_toml_value>) {
    switch Int(value.kind) {
    case A11Y_TOML_TABLE: self = .table
    case A11Y_TOML_ARRAY: self = .array(items.map(Item.init))
    case A11Y_TOML_STRING: self = .string(String(bytes: value.string, count: value.length))
    case A11Y_TOML_INTEGER: self = .integer(value.integer)
    case A11Y_TOML_FLOAT: self = .number(value.number)
    case A11Y_TOML_BOOLEAN: self = .boolean(value.integer != 0)
    default: self = .time
    }
  }
}

extension TomlValue.Item {
  fileprivate init(_ value: a11y_toml_value) {
    self.init(
      value: TomlValue(value, items: UnsafeBufferPointer(start: nil, count: 0)),
      line: Int(value.line),
      column: Int(value.column)
    )
  }
}

extension String {
  /// A text of toml++, which has refused what is not UTF-8.
  fileprivate init(bytes: UnsafePointer<CChar>?, count: Int) {
    let raw = UnsafeRawBufferPointer(start: bytes, count: count)
    self.init(decoding: raw, as: UTF8.self)
  }
}
