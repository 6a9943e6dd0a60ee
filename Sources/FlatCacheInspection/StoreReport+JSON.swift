import FlatCacheReports
import FlatCacheStore

extension StoreReport {
    /// The report as a JSON document.
    ///
    /// The article on inspecting stores describes its members.
    var json: String {
        let document = JSONValue.object([
            ("format", .number(formatVersion)),
            ("health", health.json),
            ("isSealed", .boolean(isSealed)),
            ("bytes", .number(bytes)),
            ("unusedBytes", .number(unusedBytes)),
            ("types", .array(types.map(\.json))),
            ("pendingMutations", .array(mutations.map { $0?.json ?? .null })),
            ("logs", .array(logs.map(\.json))),
        ])
        return document.text.escapedAsJSON
    }
}

extension StoreReport.StoredType {
    fileprivate var json: JSONValue {
        let versions = entitiesByVersion.sorted { $0.key < $1.key }
        return .object([
            ("name", .string(name)),
            ("version", .number(version)),
            ("entities", .number(entities)),
            ("entitiesByVersion", .object(versions.map { ("\($0.key)", .number($0.value)) })),
            ("lists", .number(lists)),
            ("references", .number(references)),
            ("bytes", .number(bytes)),
        ])
    }
}

extension StoredMutationText {
    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [("name", .string(name)), ("idempotencyKey", .string(idempotencyKey))]
        if let order { members.append((order.name, .string(order.key))) }
        return .object(members + [("arguments", .text(arguments))])
    }
}

extension FileStoreInspection.Log {
    fileprivate var json: JSONValue {
        .object([
            ("file", .string(fileName(of: file))),
            ("bytes", .number(bytes)),
            ("batches", .number(batches)),
            ("firstSequence", .number(sequences?.lowerBound)),
            ("lastSequence", .number(sequences?.upperBound)),
            ("isCompacted", .boolean(isCompacted)),
        ])
    }
}

extension StoreHealth {
    fileprivate var json: JSONValue {
        switch self {
        case .whole: .object([("state", .string("whole"))])
        case .torn(let file, let offset, let bytes):
            .object([
                ("state", .string("torn")),
                ("file", .string(file)),
                ("offset", .number(offset)),
                ("bytes", .number(bytes)),
            ])
        case .damaged(let file, let offset, let damage):
            .object([
                ("state", .string("damaged")),
                ("file", .string(file)),
                ("offset", .number(offset)),
                ("damage", .string("\(damage)")),
            ])
        }
    }
}
