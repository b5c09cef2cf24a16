enum EventTable { static let types: [String] = [] }
