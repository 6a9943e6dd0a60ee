/// The shapes of the objects in the records of a type.
///
/// A ``RecordEncoder`` adds shapes, and they are stored beside the records:
///
///     try encoder.encode(post, into: &bytes)
///     if encoder.shapes.count > stored {
///         write(encoder.shapes.bytes(from: stored))     // In the batch that has the record.
///         stored = encoder.shapes.count
///     }
///
/// A shape is never changed or removed, so a table decodes all records that were encoded with it before.
package struct ShapeTable: Sendable {
    private(set) var shapes: [Shape] = []

    /// Creates an empty table.
    package init() {}

    /// The number of shapes.
    package var count: Int { shapes.count }

    mutating func append(_ names: [String]) {
        shapes.append(Shape(names))
    }

    /// Returns the shape with a number, or `nil`.
    @inline(__always) func shape(_ number: Int) -> Shape? {
        number >= 0 && number < shapes.count ? shapes[number] : nil
    }
}

// MARK: Stored tables

extension ShapeTable {
    private static let format: UInt8 = 1

    /// Returns the bytes of the shapes from a number on.
    ///
    /// - Parameter first: The number of the first shape.
    package func bytes(from first: Int = 0) -> [UInt8] {
        var buffer = RecordBuffer(capacity: 256)
        buffer.append(Self.format)
        buffer.appendVarint(first)
        buffer.appendVarint(max(0, count - first))
        for shape in shapes.dropFirst(first) { buffer.appendNames(shape.allNames) }
        return Array(buffer.contents)
    }

    /// Adds shapes of ``bytes(from:)``.
    ///
    /// Shapes that the table has already are skipped.
    ///
    /// - Parameter bytes: The bytes of the shapes.
    /// - Throws: A `DecodingError` if the bytes are damaged, don't continue the table, or are of a newer version of this
    ///   library. Then the table isn't changed.
    package mutating func add(_ bytes: ArraySlice<UInt8>) throws {
        let table = self
        shapes += try bytes.withUnsafeBufferPointer { try table.newShapes(in: $0) }
    }

    private func newShapes(in buffer: UnsafeBufferPointer<UInt8>) throws -> [Shape] {
        guard let base = buffer.baseAddress, let format = buffer.first else { throw Self.damage(at: 0) }
        guard format == Self.format else { throw Self.damage(at: 0, "they have the format \(format)") }
        let bytes = RecordBytes(base: base, count: buffer.count)
        var position = 1
        let first = bytes.varint(at: &position, before: bytes.count)
        let number = bytes.varint(at: &position, before: bytes.count)
        guard first >= 0, number >= 0 else { throw Self.damage(at: position) }
        guard first <= count else { throw Self.damage(at: 1, "they begin at \(first), and the table ends at \(count)") }
        var added: [Shape] = []
        for index in 0..<number {
            guard let names = bytes.names(at: &position, before: bytes.count) else { throw Self.damage(at: position) }
            if let known = shape(first + index) {
                guard known.allNames == names else { throw Self.damage(at: position, "the table has another shape") }
            } else {
                added.append(Shape(names))
            }
        }
        guard position == bytes.count else { throw Self.damage(at: position) }
        return added
    }

    private static func damage(at offset: Int, _ problem: String = "they are damaged") -> DecodingError {
        let text = "The stored shapes of objects can't be read: \(problem), at byte \(offset)"
        return .dataCorrupted(.init(codingPath: [], debugDescription: text))
    }
}

extension RecordBuffer {
    /// Appends the number of names, and of each name the number of its bytes and the bytes.
    mutating func appendNames(_ names: [String]) {
        appendVarint(names.count)
        for var name in names {
            name.withUTF8 {
                appendVarint($0.count)
                append($0)
            }
        }
    }
}

extension RecordBytes {
    /// Reads names and moves the position behind them, or returns `nil`.
    func names(at position: inout Int, before limit: Int) -> [String]? {
        let count = varint(at: &position, before: limit)
        // Each name has at least a byte, so a damaged number doesn't reserve more memory than the bytes have.
        guard count >= 0, count <= limit - position else { return nil }
        var names: [String] = []
        names.reserveCapacity(count)
        for _ in 0..<count {
            let length = varint(at: &position, before: limit)
            guard length >= 0, length <= limit - position, let name = text(position..<position + length) else {
                return nil
            }
            names.append(name)
            position += length
        }
        return names
    }
}
