internal import FlatCache

/// The members of a stored entity by their names, before the entity is decoded.
///
/// A migration changes what an earlier version of the app has stored, so that the type decodes it:
///
///     static func migrate(_ members: inout StoredMembers, from version: Int) throws {
///         if version < 2 { members.rename("text", to: "content") }
///         if version < 3 {
///             let parts = try [members["first", as: String.self], members["last", as: String.self]]
///             try members.set("name", to: parts.compactMap { $0 }.joined(separator: " "))
///         }
///         if version < 4 { try members.update("attachments") { $0.remove("blurhash") } }
///     }
///
/// The names are those that the type encodes: of its `CodingKeys`, or of its properties. Members that a migration doesn't touch
/// aren't decoded.
public struct StoredMembers: Sendable {
    private var members: [Member]
    private let shapes: ShapeTable

    private struct Member: Sendable {
        var name: String
        /// The value as a record.
        var value: ArraySlice<UInt8>
    }

    /// Reads the members of a record.
    ///
    /// - Parameters:
    ///   - bytes: The record.
    ///   - shapes: The shapes of the records of the type.
    /// - Throws: A `DecodingError` if the record has no members or is damaged.
    package init(_ bytes: ArraySlice<UInt8>, shapes: ShapeTable) throws {
        self.shapes = shapes
        members = try bytes.withReader(shapes: shapes) { reader in
            try reader.members(of: reader.object(at: 0, depth: 0)).map { member in
                Member(name: member.name, value: bytes.part(member.value))
            }
        }
    }

    /// The names of all members, in the order in which they were encoded.
    public var names: [String] { members.map(\.name) }

    /// Returns whether there is a member with a name, whose value may be `null`.
    ///
    /// - Parameter name: The name.
    /// - Complexity: O(n), where n is the number of members.
    public func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// The value of a member, or `nil` if there is none with the name or its value is `null`.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type of the value. A part of a nested object can be read by a type with some of its properties.
    /// - Throws: A `DecodingError` if the value isn't of this type, or the error of the type's `init(from:)`.
    /// - Complexity: O(n), where n is the number of members.
    public subscript<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
        get throws {
            guard let index = index(of: name) else { return nil }
            return try RecordDecoder(shapes: shapes).decode(Value?.self, from: members[index].value)
        }
    }

    /// Sets the value of a member, which is added if there is none with the name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    /// - Throws: The error of the type's `encode(to:)`, or an `EncodingError`. Then nothing is changed.
    /// - Complexity: O(n), where n is the number of members.
    public mutating func set(_ name: String, to value: some Encodable) throws {
        let writer = ValueWriter(tree: nil)
        try writer.writeRoot(value)
        set(name, to: Array(writer.buffer.contents)[...])
    }

    /// Changes the name of a member.
    ///
    /// If there is no member with the old name, this does nothing. A member that has the new name already is removed.
    ///
    /// - Parameters:
    ///   - old: The old name.
    ///   - new: The new name.
    /// - Complexity: O(n), where n is the number of members.
    public mutating func rename(_ old: String, to new: String) {
        guard old != new, contains(old) else { return }
        remove(new)
        if let index = index(of: old) { members[index].name = new }
    }

    /// Removes a member.
    ///
    /// If there is none with the name, this does nothing.
    ///
    /// - Parameter name: The name.
    /// - Complexity: O(n), where n is the number of members.
    public mutating func remove(_ name: String) {
        members.removeAll { $0.name == name }
    }

    /// Changes the members of a nested object, or of each object in an array.
    ///
    /// If there is no member with the name, or it isn't an object or an array, this does nothing.
    ///
    /// - Parameters:
    ///   - name: The name of the nested object or array.
    ///   - change: A closure that changes the members of an object.
    /// - Throws: The error of the closure, or a `DecodingError` if the record is damaged. Then nothing is changed.
    public mutating func update(_ name: String, _ change: (inout StoredMembers) throws -> Void) throws {
        guard let index = index(of: name) else { return }
        members[index].value = try changed(members[index].value, depth: 0, change)
    }

    /// The record of the members, which is decoded with the shapes of the original record.
    package var record: [UInt8] {
        var names = RecordBuffer(capacity: 256)
        names.appendNames(self.names)
        var buffer = RecordBuffer(capacity: 256)
        buffer.append(RecordTag.namedObject)
        buffer.appendVarint(members.reduce(names.count) { $0 + $1.value.count })
        buffer.append(names.contents)
        for member in members { member.value.withUnsafeBufferPointer { buffer.append($0) } }
        return Array(buffer.contents)
    }

    private func index(of name: String) -> Int? { members.firstIndex { $0.name == name } }

    private mutating func set(_ name: String, to value: ArraySlice<UInt8>) {
        if let index = index(of: name) {
            members[index].value = value
        } else {
            members.append(Member(name: name, value: value))
        }
    }

    private func changed(
        _ value: ArraySlice<UInt8>,
        depth: Int,
        _ change: (inout StoredMembers) throws -> Void
    ) throws -> ArraySlice<UInt8> {
        switch value.first {
        case RecordTag.object, RecordTag.namedObject:
            var members = try StoredMembers(value, shapes: shapes)
            try change(&members)
            return members.record[...]
        case RecordTag.array:
            let elements = try value.withReader(shapes: shapes) { reader in
                try reader.elements(reader.array(at: 0, depth: depth)).map { value.part($0) }
            }
            let content = try elements.map { try changed($0, depth: depth + 1, change) }.joined()
            var buffer = RecordBuffer(capacity: 256)
            buffer.append(RecordTag.array)
            buffer.appendVarint(content.count)
            for byte in content { buffer.append(byte) }
            return Array(buffer.contents)[...]
        default: return value
        }
    }
}

extension RecordDecoder {
    /// Decodes an entity from members that may have been changed.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - members: The members of a record whose shapes the decoder has.
    /// - Returns: The entity.
    /// - Throws: A `DecodingError` if the members aren't those of such an entity, or the error of the type's `init(from:)`.
    package func decode<Value: Decodable>(_ type: Value.Type, from members: StoredMembers) throws -> Value {
        try decode(type, from: members.record[...])
    }
}

extension ArraySlice<UInt8> {
    /// Reads these bytes as one record.
    func withReader<Result>(shapes: ShapeTable, _ body: (ValueReader) throws -> Result) throws -> Result {
        var use = ReaderUse(shapes: shapes)
        return try use.read(self, body)
    }

    /// Returns the bytes of a range that is counted from the first.
    fileprivate func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}

extension StoredMembers: CustomStringConvertible, CustomReflectable {
    /// A line with the names: `StoredMembers: id, title and 2 more`.
    public var description: String {
        Summary.line("StoredMembers", nil, [Summary.list(members.count, members.lazy.map { $0.name }, limit: 5)])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
