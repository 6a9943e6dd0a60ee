/// A coding key of any name.
///
/// All base containers are keyed by this type, so that one container has both a property's key and the other keys at
/// which a related entity can be.
struct AnyCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: some CodingKey) {
        stringValue = key.stringValue
        intValue = key.intValue
    }

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(stringValue: String) { self.init(stringValue) }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    var description: String { stringValue }

    var debugDescription: String { stringValue }

    /// The key of an element of an array, for coding paths.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
}
