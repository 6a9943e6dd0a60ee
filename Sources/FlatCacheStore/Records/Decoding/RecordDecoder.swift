/// Decodes values from records that ``RecordEncoder`` has encoded.
///
///     let decoder = RecordDecoder(shapes: shapes)
///     let post = try decoder.decode(Post.self, from: bytes)
///
/// The bytes need not be trusted: all bytes give a value or an error.
package struct RecordDecoder: Sendable {
    private let shapes: ShapeTable
    private let userInfo: [CodingUserInfoKey: any Sendable]

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - shapes: The shapes of the records, and any others.
    ///   - userInfo: What the `init(from:)` of types finds in their decoder.
    package init(shapes: ShapeTable, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.shapes = shapes
        self.userInfo = userInfo
    }

    /// Decodes the value of a record.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: The record.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` if the record isn't of such a value or is damaged, or the error of the type's
    ///   `init(from:)`.
    package func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
        try bytes.withUnsafeBufferPointer { try decode(type, from: $0) }
    }

    /// Decodes the value of a record in memory.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: The record, which must stay valid during the call.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` if the record isn't of such a value or is damaged, or the error of the type's
    ///   `init(from:)`.
    package func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeBufferPointer<UInt8>) throws -> Value {
        var use = ReaderUse(shapes: shapes, userInfo: userInfo)
        return try use.read(bytes) { try $0.read(type, at: 0, depth: 0) }
    }
}
