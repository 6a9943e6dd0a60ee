@testable import MastodonTimeline

// Tests write responses as Swift literals.

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members) { _, later in later })
    }
}

extension JSON: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByStringInterpolation {
    init(stringLiteral string: String) { self = .string(string) }
}

extension JSON: ExpressibleByIntegerLiteral {
    init(integerLiteral integer: Int) { self = .integer(integer) }
}

extension JSON: ExpressibleByBooleanLiteral {
    init(booleanLiteral bool: Bool) { self = .bool(bool) }
}

extension JSON: ExpressibleByNilLiteral {
    init(nilLiteral: ()) { self = .null }
}
