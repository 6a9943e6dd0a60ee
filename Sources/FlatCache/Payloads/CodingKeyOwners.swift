/// The types of entities and patches that coding keys belong to.
///
/// The `init(from:)` of a union may decode an entity as `Status(from: decoder)`. No decoder sees that, but the entity
/// asks for a container with its own keys. The type of the keys is nested in the entity's type, so the name of the keys'
/// type begins with the name of the entity's type.
enum CodingKeyOwners {
    private static let lock = Lock()
    /// The types of entities and patches that were decoded in the process, by name.
    nonisolated(unsafe) private static var entities: [String: any Decodable.Type] = [:]
    nonisolated(unsafe) private static var added: Set<ObjectIdentifier> = []
    nonisolated(unsafe) private static var owners: [ObjectIdentifier: (any Decodable.Type)?] = [:]

    /// Adds a type of entities or patches.
    static func add(_ type: any Decodable.Type) {
        guard lock.withLock({ added.insert(ObjectIdentifier(type)).inserted }) else { return }
        let name = _typeName(type, qualified: true)
        lock.withLock { entities[name] = type }
    }

    /// The type of entities or patches that a type of keys is nested in, or `nil` if there is none.
    ///
    /// A type that is private to a file is only found after it was decoded in another way.
    static func owner<Key: CodingKey>(of type: Key.Type) -> (any Decodable.Type)? {
        if let owner = lock.withLock({ owners[ObjectIdentifier(type)] }) { return owner }
        guard let ownerName = ownerName(of: _typeName(type, qualified: true)) else { return setOwner(nil, of: type) }
        if let known = lock.withLock({ entities[ownerName] }) { return setOwner(known, of: type) }
        guard let mangled = _mangledTypeName(type).flatMap(mangledOwnerName),
            let found = _typeByName(mangled) as? any Decodable.Type,
            found is any Cachable.Type || found is any EntityPatch.Type,
            _typeName(found, qualified: true) == ownerName
        else { return nil }
        return setOwner(found, of: type)
    }

    /// The name of the type that contains a type called `CodingKeys`.
    private static func ownerName(of name: String) -> String? {
        // Synthesized keys are private: `Blog.Post.(CodingKeys in _4D)` or `Blog.Post.(unknown context at $4D).CodingKeys`.
        guard let keys = name.ranges(of: "CodingKeys").last else { return nil }
        var owner = name[..<keys.lowerBound]
        guard owner.last == "." || owner.hasSuffix(".(") else { return nil }
        if owner.hasSuffix(").") {
            owner = owner[..<(owner.ranges(of: "(unknown context at ").last?.lowerBound ?? owner.endIndex)]
        }
        while owner.last == "(" || owner.last == "." { owner.removeLast() }
        return String(owner)
    }

    /// The mangled name of the type that contains a type called `CodingKeys`.
    private static func mangledOwnerName(of name: String) -> String? {
        guard let keys = name.ranges(of: "10CodingKeys").last else { return nil }
        var owner = name[..<keys.lowerBound]
        // A private context: the length of an address, and the address.
        if owner.hasSuffix("yXZ"), let address = owner.lastIndex(of: "$") {
            owner = owner[..<address]
            while owner.last?.isNumber == true { owner.removeLast() }
        }
        return String(owner)
    }

    private static func setOwner<Key>(
        _ owner: (any Decodable.Type)?,
        of type: Key.Type
    ) -> (any Decodable.Type)? {
        lock.withLock { owners[ObjectIdentifier(type)] = owner }
        return owner
    }
}
