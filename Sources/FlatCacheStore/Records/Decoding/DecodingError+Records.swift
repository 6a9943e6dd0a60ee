extension DecodingError {
    static var empty: DecodingError {
        .dataCorrupted(Context(codingPath: [], debugDescription: "The record is empty."))
    }

    static var ended: DecodingError {
        .dataCorrupted(
            Context(codingPath: [], debugDescription: "A container was used after its record was decoded.")
        )
    }

    static func tooDeep(_ path: [any CodingKey]) -> DecodingError {
        let text = "The value is inside more than \(RecordLimit.depth) others."
        return .dataCorrupted(Context(codingPath: path, debugDescription: text))
    }

    static func noMember(_ key: any CodingKey, _ path: [any CodingKey]) -> DecodingError {
        let text = "The record has no member '\(key.stringValue)'."
        return .keyNotFound(key, Context(codingPath: path, debugDescription: text))
    }

    static func noElement(_ type: Any.Type, _ path: [any CodingKey], index: Int) -> DecodingError {
        let context = Context(
            codingPath: path + [NameKey(index: index)],
            debugDescription: "The array in the record ends after \(index) elements."
        )
        return .valueNotFound(type, context)
    }
}

extension RecordTag {
    /// What a value is, for messages.
    static func name(_ tag: UInt8) -> String {
        switch tag {
        case null, absent: "null"
        case `false`, `true`: "a Boolean"
        case float, double: "a number"
        case date: "a date"
        case uuid: "a UUID"
        case decimal: "a decimal number"
        case string, shortString..<smallNumber: "a string"
        case data: "data"
        case url: "a URL"
        case array: "an array"
        case object, namedObject: "an object"
        case positive..<endOfNumbers, smallNumber...: "a whole number"
        default: "a value of a newer version"
        }
    }
}
