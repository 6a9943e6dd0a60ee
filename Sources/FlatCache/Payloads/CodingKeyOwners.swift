/// The types that coding keys belong to: entities, patches, and other types with a table.
///
/// The `init(from:)` of a union may decode an entity as `Status(from: decoder)`. No decoder sees that, but the entity
/// asks for a container with its own keys. The type of the keys is nested in the entity's type, so the name of the keys'
/// type begins with the name of the entity's type.
enum CodingKeyOwners {
    /// The name of synthesized keys.
    static let usualName = "CodingKeys"

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

    /// The type that a type of keys is nested in, or `nil` if it is none of these types.
    ///
    /// A type that is private to a file is only found after it was decoded in another way.
    static func owner<Key: CodingKey>(of type: Key.Type) -> (any Decodable.Type)? {
        if let owner = lock.withLock({ owners[ObjectIdentifier(type)] }) { return owner }
        guard let names = names(of: _typeName(type, qualified: true)) else { return setOwner(nil, of: type) }
        if let known = lock.withLock({ entities[names.owner] }) { return setOwner(known, of: type) }
        guard let mangled = _mangledTypeName(type).flatMap({ mangledOwner(of: names.keys, in: $0) }),
            let found = _typeByName(mangled), _typeName(found, qualified: true) == names.owner
        else { return nil }
        let isOwner =
            found is any Cachable.Type || found is any EntityPatch.Type || found is any FlatCache.PayloadOwner.Type
        return setOwner(isOwner ? found as? any Decodable.Type : nil, of: type)
    }

    /// The name of a nested type and of the type that contains it, or `nil` if the type isn't nested.
    private static func names(of name: String) -> (owner: String, keys: String)? {
        // Synthesized keys are private: `Blog.Post.(CodingKeys in _4D)` or `Blog.Post.(unknown context at $4D).CodingKeys`.
        var name = name[...]
        if name.last == ")", let context = name.ranges(of: " in _").last {
            name = name[..<context.lowerBound]
            guard let begin = name.lastIndex(of: "(") else { return nil }
            name = name[..<begin] + name[name.index(after: begin)...]
        }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        var owner = name[..<dot]
        if owner.last == ")" {
            guard let context = owner.ranges(of: ".(unknown context at ").last else { return nil }
            owner = owner[..<context.lowerBound]
        }
        return owner.isEmpty ? nil : (String(owner), String(name[name.index(after: dot)...]))
    }

    /// The mangled name of the type that contains a type of keys.
    ///
    /// - Parameters:
    ///   - keys: The name of the keys' type.
    ///   - name: Its mangled name with all contexts.
    private static func mangledOwner(of keys: String, in name: String) -> String? {
        guard let keys = name.ranges(of: "\(keys.utf8.count)\(keys)").last else { return nil }
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
