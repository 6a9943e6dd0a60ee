/// The keys of values that aren't entities, with the types that their `init(from:)` asks for.
///
/// They are learnt from the first complete decoding of the type in the process. A table of the type has them before.
enum MemberKeys {
    private static let lock = Lock()
    nonisolated(unsafe) private static var learnt: [ObjectIdentifier: [(name: String, type: any Decodable.Type)]] = [:]

    /// The keys of a type, or `nil` if none has been decoded yet.
    static func known(of type: any Decodable.Type) -> [(name: String, type: any Decodable.Type)]? {
        func open<Owner: FlatCache.PayloadOwner>(_ type: Owner.Type) -> [(name: String, type: any Decodable.Type)] {
            Owner.payloadKeys.compactMap { key in key.property.valueType.map { (key.name, $0) } }
        }
        let table = (type as? any FlatCache.PayloadOwner.Type).map { open($0) } ?? []
        if let requests = lock.withLock({ learnt[ObjectIdentifier(type)] }) { return table + requests }
        return table.isEmpty ? nil : table
    }

    static func learn(_ requests: [(name: String, type: any Decodable.Type)], of type: any Decodable.Type) {
        lock.withLock { learnt[ObjectIdentifier(type)] = requests }
    }
}
