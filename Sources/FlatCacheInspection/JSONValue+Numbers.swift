import FlatCacheReports

extension JSONValue {
    /// A number, or `null` for `nil`.
    ///
    /// It isn't limited to the numbers of an `Int`.
    static func number(_ number: (some BinaryInteger)?) -> JSONValue { number.map { .text("\($0)") } ?? .null }
}
