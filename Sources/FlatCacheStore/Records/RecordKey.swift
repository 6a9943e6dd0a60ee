/// The bytes of identifiers, under which records are stored.
///
/// Equal identifiers have equal bytes: of texts that are canonically equivalent, which Swift compares as equal, one form is
/// encoded, and dictionaries and sets have one order. An identifier whose `==` ignores more than that, such as the case of
/// letters, must encode what it compares.
package enum RecordKey {
    /// Returns the bytes of an identifier.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: The bytes, which need no ``ShapeTable``.
    /// - Throws: The error of the type's `encode(to:)`, or an `EncodingError`.
    package static func bytes(of id: some Encodable) throws -> [UInt8] {
        var buffer = RecordBuffer(capacity: 64, isCanonical: true)
        if buffer.appendScalar(id) { return Array(buffer.contents) }
        let writer = ValueWriter(tree: nil, isCanonical: true)
        try writer.writeRoot(id)
        return Array(writer.buffer.contents)
    }

    /// Returns whether bytes are those of a short text of ASCII characters.
    ///
    /// If the text is another one, it returns `false`, also if the bytes are those of the text.
    static func isKey(_ bytes: ArraySlice<UInt8>, ofASCII text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            bytes.withUnsafeBufferPointer { bytes in
                guard text.count < RecordTag.shortStringLimit, bytes.count == text.count + 1 else { return false }
                let content = UnsafeRawBufferPointer(bytes).part(1, text.count)
                return bytes[0] == RecordTag.shortString + UInt8(text.count) && RecordBytes.isASCII(text)
                    && content.isEqual(to: UnsafeRawBufferPointer(text))
            }
        }
    }

    /// Returns the identifier of some bytes.
    ///
    /// - Parameters:
    ///   - type: The type of the identifier.
    ///   - bytes: The bytes.
    /// - Returns: The identifier.
    /// - Throws: A `DecodingError` if the bytes aren't of such an identifier or are damaged.
    package static func id<ID: Decodable>(as type: ID.Type, from bytes: ArraySlice<UInt8>) throws -> ID {
        try RecordDecoder(shapes: ShapeTable()).decode(type, from: bytes)
    }
}
