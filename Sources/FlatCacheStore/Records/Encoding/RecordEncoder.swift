/// Encodes values as records.
///
///     let encoder = RecordEncoder(shapes: shapes)
///     var bytes: [UInt8] = []
///     for post in posts { try encoder.encode(post, into: &bytes) }
///
/// The names of members are in a ``ShapeTable``, which must be stored, too. ``RecordDecoder`` decodes the values. A value that
/// `JSONEncoder` and `JSONDecoder` give back unchanged is given back unchanged, as well as numbers that JSON doesn't have.
///
/// One thread at a time uses an encoder.
package final class RecordEncoder {
    private let tree: ShapeTree
    private let writer: ValueWriter

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - shapes: The shapes of earlier records.
    ///   - userInfo: What the `encode(to:)` of types finds in their encoder.
    package init(shapes: ShapeTable = ShapeTable(), userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        tree = ShapeTree(shapes)
        writer = ValueWriter(tree: tree, userInfo: userInfo)
    }

    /// The shapes of earlier records, and of all that were encoded.
    package var shapes: ShapeTable { tree.table }

    /// Appends the record of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - bytes: The bytes to which the record is appended.
    /// - Throws: The error of the type's `encode(to:)`, or an `EncodingError` if the value encodes nothing, is too long, or has
    ///   more than 128 values inside each other. Then nothing is appended, but shapes may have been added.
    package func encode(_ value: some Encodable, into bytes: inout [UInt8]) throws {
        try writer.writeRoot(value)
        bytes.append(contentsOf: writer.buffer.contents)
    }

    /// Returns the record of a value with the names of its members, which is decoded without a ``ShapeTable``.
    ///
    /// - Parameter value: The value.
    /// - Throws: The error of the type's `encode(to:)`, or an `EncodingError` as of ``encode(_:into:)``.
    package static func bytes(of value: some Encodable) throws -> [UInt8] {
        let writer = ValueWriter(tree: nil)
        try writer.writeRoot(value)
        return Array(writer.buffer.contents)
    }
}
