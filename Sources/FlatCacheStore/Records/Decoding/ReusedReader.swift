/// Reads one record after the other.
///
/// They share a ``ValueReader``, unless the code of a type keeps it.
struct ReusedReader {
    private let shapes: ShapeTable
    private var reader: ValueReader?

    init(shapes: ShapeTable) {
        self.shapes = shapes
    }

    /// Calls a closure with the decoder of a record, which is valid during the call.
    mutating func read(_ bytes: ArraySlice<UInt8>, _ body: (any Decoder) throws -> Void) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { throw DecodingError.empty }
            let bytes = RecordBytes(base: base, count: buffer.count)
            if isKnownUniquelyReferenced(&reader) { reader?.begin(bytes) } else { reader = nil }
            let reader = self.reader ?? ValueReader(bytes, shapes: shapes)
            self.reader = reader
            try reader.readWhole { try body(ValueDecoder(reader: reader, position: 0, depth: 1)) }
        }
    }
}
