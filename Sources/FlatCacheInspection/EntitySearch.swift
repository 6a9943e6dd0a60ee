import FlatCacheCommands
import FlatCacheStore

/// A search for an entity whose type isn't known.
struct EntitySearch {
    /// The reason why an entity isn't found.
    enum Failure: Error, CustomStringConvertible {
        case sealed
        case unknownType(String, suggestion: String)
        case unknownID(String, type: String)

        var description: String {
            switch self {
            case .sealed: "the records are sealed; entities can't be shown without the app's key"
            case .unknownType(let type, let suggestion): "there are no entities of the type '\(type)'\(suggestion)"
            case .unknownID(let id, let type): "there is no entity of the type '\(type)' with the identifier '\(id)'"
            }
        }
    }

    private let store: InspectedStore
    /// The stored names of the types that have entities.
    private let types: [String]

    init(in store: InspectedStore) {
        self.store = store
        types = store.inspection.groups.filter { $0.key.kind == .entities && $0.value.records > 0 }.map(\.key.type)
    }

    /// Returns an entity.
    ///
    /// - Parameters:
    ///   - type: The stored name of the type, as it is or as it is shown.
    ///   - id: The identifier as text, or as JSON.
    /// - Throws: A ``Failure``, or the error of a file that can't be read.
    func entity(of type: String, id: String) throws -> StoredEntity {
        guard let name = types.first(where: { $0 == type }) ?? types.first(where: { $0.escapedForDisplay == type })
        else { throw failure(ofUnknown: type) }
        guard let (record, place) = try record(of: name, WrittenID(id)) else {
            throw Failure.unknownID(id.escapedForDisplay, type: name.escapedForDisplay)
        }
        return try StoredEntity(record, of: name, place: place, schema(of: name))
    }

    private func failure(ofUnknown type: String) -> Failure {
        if types.isEmpty && store.inspection.isSealed { return .sealed }
        let names = types.map(\.escapedForDisplay).sorted()
        let all = names.isEmpty ? "" : "; there are entities of \(names.map { "'\($0)'" }.joined(separator: ", "))"
        let suggestion = Suggestion.behind(type, from: names, otherwise: all)
        return .unknownType(type.escapedForDisplay, suggestion: suggestion)
    }

    /// Returns the record of an entity, and its place among those of its type, which begins at 1.
    private func record(of type: String, _ id: WrittenID) throws -> (record: StoredRecord, place: Int)? {
        var found: StoredRecord?
        var ordinals: [UInt64] = []
        try store.read([RecordGroup(.entities, of: type)]) { _, records in
            found = found ?? records.first { id.isKey($0.key) }
            ordinals += records.compactMap { EntityHeader($0.value)?.ordinal }
        }
        return found.map { record in
            let ordinal = EntityHeader(record.value)?.ordinal ?? 0
            return (record, 1 + ordinals.count { $0 < ordinal })
        }
    }

    /// Returns the schema of a type, or `nil` if there is none that can be read.
    private func schema(of type: String) throws -> StoredSchema? {
        var schema: StoredSchema?
        try store.read([RecordGroup(.schema, of: type)]) { _, records in
            schema = records.last.flatMap { try? StoredSchema($0.value) }
        }
        return schema
    }
}
