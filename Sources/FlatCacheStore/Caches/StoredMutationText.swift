internal import FlatCache

/// A stored mutation, for people.
package struct StoredMutationText {
    /// The ``RecordGroup/type`` of the groups of mutations.
    package static var groupName: String { StoredMutation.storedName }

    package let name: String
    package let idempotencyKey: String
    /// The case of its order and the key, or `nil` if it is sent at once.
    package let order: (name: String, key: String)?
    /// The arguments as JSON.
    package let arguments: String

    /// Reads a mutation.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - shapes: The shapes of the records of mutations.
    /// - Throws: An error if the record is damaged.
    package init(_ record: StoredRecord, shapes: ShapeTable) throws {
        let bytes = record.value.dropFirst(EntityHeader.size)
        let form = try RecordDecoder(shapes: shapes).decode(StoredMutation.StoredForm.self, from: bytes)
        let mutation = StoredMutation(storedForm: form)
        name = mutation.name
        idempotencyKey = mutation.id
        order =
            switch mutation.order {
            case .byEntity, .concurrent: nil
            case .serial(let key): ("serial", key)
            case .latest(let key): ("latest", key)
            }
        arguments = try RecordText.json(mutation.argumentBytes[...], shapes: ShapeTable())
    }
}
