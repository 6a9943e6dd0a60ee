extension EncodingError {
    static func nothing(_ value: some Encodable) -> EncodingError {
        invalid(value, [], "\(type(of: value)) encodes no value. Encode at least an empty container.")
    }

    static func tooLong(_ value: some Encodable) -> EncodingError {
        invalid(value, [], "The value needs more than \(RecordLimit.bytes) bytes. Divide it into several entities.")
    }

    static func tooDeep(_ path: [any CodingKey]) -> EncodingError {
        invalid(nil, path, "The value is inside more than \(RecordLimit.depth) others. Relate entities by identifiers.")
    }

    static func misused(_ path: [any CodingKey]) -> EncodingError {
        let problem = "encode(to:) writes a second value at one place, or uses a container after its value has ended"
        return invalid(nil, path, "\(problem). Use one container of a value, until its nested values begin or it ends.")
    }

    private static func invalid(_ value: Any?, _ path: [any CodingKey], _ problem: String) -> EncodingError {
        .invalidValue(value as Any, Context(codingPath: path, debugDescription: problem))
    }
}
