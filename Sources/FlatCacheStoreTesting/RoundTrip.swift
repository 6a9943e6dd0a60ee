public import FlatCacheStore

/// Checks that an entity is the same after it was stored and restored.
///
///     @Test func postsAreStored() throws {
///         try expectRoundTrip(Post(id: 1, text: "Hello", authorID: 2))
///     }
///
/// The entity and its identifier are encoded and decoded as a store keeps them. Entities with each optional property as `nil`,
/// and with empty and unusual values, find the most errors.
///
/// - Parameter value: The entity.
/// - Throws: A ``StoreCheckFailure`` if encoding or decoding throws an error, if the identifier differs, if the entity differs and
///   its type is `Equatable`, or if a second encoding of the entity gives other bytes.
public func expectRoundTrip<Value: Storable>(_ value: Value) throws(StoreCheckFailure) {
    do {
        try checkIdentifier(of: value)
        let restored = try restoredValue(of: value)
        try expect(
            RecordKey.bytes(of: restored.id) == RecordKey.bytes(of: value.id),
            "the restored entity to have the identifier \(value.id)",
            found: "\(restored.id)"
        )
        try expect(isEqualIfEquatable(restored, value), "the restored entity to be \(value)", found: "\(restored)")
    } catch {
        throw StoreCheckFailure(of: "The entity '\(Value.storedName)' with the identifier \(value.id)", error)
    }
}

/// Checks that the identifier is the same after it was the key of a record.
private func checkIdentifier<Value: Storable>(of value: Value) throws {
    let key = try attempt("encoding the identifier") { try RecordKey.bytes(of: value.id) }
    let id = try attempt("decoding the identifier") { try RecordKey.id(as: Value.ID.self, from: key[...]) }
    try expect(id == value.id, "the identifier \(value.id) to be decoded", found: "\(id)")
    try expect(RecordKey.bytes(of: id) == key, "equal identifiers to be encoded to equal bytes", found: "other bytes")
}

/// Encodes an entity to a record, and decodes the record.
private func restoredValue<Value: Storable>(of value: Value) throws -> Value {
    let encoder = RecordEncoder()
    var record: [UInt8] = []
    var second: [UInt8] = []
    try attempt("encoding the entity") {
        try encoder.encode(value.storedForm, into: &record)
        try encoder.encode(value.storedForm, into: &second)
    }
    try expect(record == second, "a second encoding of the entity to give the same bytes", found: "other bytes")
    // As a store that is opened again reads them.
    var shapes = ShapeTable()
    try shapes.add(encoder.shapes.bytes()[...])
    return try attempt("decoding the entity") {
        try Value(storedForm: RecordDecoder(shapes: shapes).decode(Value.StoredForm.self, from: record[...]))
    }
}

/// Returns whether two values are equal, or `true` if their type isn't `Equatable`.
private func isEqualIfEquatable<Value>(_ value: Value, _ other: Value) -> Bool {
    func isEqual<Other: Equatable>(_ value: Other) -> Bool { value == other as? Other }
    guard let value = value as? any Equatable else { return true }
    return isEqual(value)
}
