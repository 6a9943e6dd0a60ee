/// The keys of values that aren't entities, with the types that their `init(from:)` asks for.
///
/// They are learnt from the first complete decoding of the type in the process. A table of the type has them before.
enum MemberKeys {
    private static let lock = Lock()
    nonisolated(unsafe) private static var learnt: [Place: [(name: String, type: any Decodable.Type)]] = [:]

    private struct Place: Hashable {
        let type: ObjectIdentifier
        let container: String?
    }

    /// The keys of a type, or of a nested container in it, or `nil` if none has been decoded yet.
    static func known(
        of type: any Decodable.Type,
        in container: String? = nil
    ) -> [(name: String, type: any Decodable.Type)]? {
        func open<Owner: FlatCache.PayloadOwner>(_ type: Owner.Type) -> [(name: String, type: any Decodable.Type)] {
            Owner.payloadKeys.compactMap { key in key.property.valueType.map { (key.name, $0) } }
        }
        let owner = container == nil ? type as? any FlatCache.PayloadOwner.Type : nil
        let table = owner.map { open($0) } ?? []
        let place = Place(type: ObjectIdentifier(type), container: container)
        if let requests = lock.withLock({ learnt[place] }) { return table + requests }
        return table.isEmpty ? nil : table
    }

    static func learn(
        _ requests: [(name: String, type: any Decodable.Type)],
        of type: any Decodable.Type,
        in container: String? = nil
    ) {
        lock.withLock { learnt[Place(type: ObjectIdentifier(type), container: container)] = requests }
    }
}
