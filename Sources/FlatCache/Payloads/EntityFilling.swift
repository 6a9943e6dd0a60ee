/// The merging of an entity of a payload with the stored one: what the payload leaves out is kept.
final class EntityFilling<Entity: Cachable>: @unchecked Sendable {  // It has only constants.
    /// The keys of the type, or `nil` if they aren't known.
    let keys: EntityKeys<Entity>?
    let userInfo: [CodingUserInfoKey: Any]
    /// The `init(from:)` of the type.
    private let decode: (OverlayDecoder) throws -> Entity

    init(keys: EntityKeys<Entity>?, userInfo: [CodingUserInfoKey: Any]) where Entity: Decodable {
        self.keys = keys
        self.userInfo = userInfo
        decode = { try Entity(from: $0) }
    }

    /// An entity with the absent properties of the stored one.
    ///
    /// - Parameters:
    ///   - entity: The decoded entity.
    ///   - absent: The keys that the payload leaves out.
    ///   - stored: The stored entity.
    ///   - cannotKeep: A closure that is called for each property that keeps its decoded value.
    func fill(_ entity: Entity, absent: [String], from stored: Entity, cannotKeep: (String) -> Void) -> Entity {
        var filled = entity
        keepLocals(of: stored, in: &filled)
        var constants: [String] = []
        lazy var kept = EntityMembers(of: stored, self)
        for name in absent {
            guard let key = keys?[name] else { continue }
            if key.property.isWrapped && kept.isAbsent(name) { continue }
            if !key.property.copy(from: stored, to: &filled) { constants.append(name) }
        }
        // The identifier can be computed from properties that the payload leaves out.
        if constants.isEmpty { return filled.id == entity.id ? filled : entity }
        let decoded = EntityMembers(of: entity, self)
        // Without a sent value, `init(from:)` would run as if it were absent.
        if let made = try? make(entity.id, { [kept] in absent.contains($0) ? kept[$0] : decoded[$0] }),
            keys?.list.allSatisfy({ absent.contains($0.name) || decoded.has($0) }) == true
        {
            filled = made
            keepLocals(of: stored, in: &filled)
            constants.removeAll { name in keys?[name].map(kept.has) == true }
        }
        for name in constants { cannotKeep(name) }
        return filled.id == entity.id ? filled : entity
    }

    /// An entity with the present values of an incomplete one, and with all others of the stored one.
    ///
    /// - Parameters:
    ///   - entity: The incomplete entity.
    ///   - stored: The stored entity.
    ///   - cannotKeep: A closure that is called for each property that doesn't keep its stored value.
    /// - Throws: An error of the type's `init(from:)`, if it can't be made.
    func complete(
        _ entity: IncompleteEntity<Entity>,
        from stored: Entity,
        cannotKeep: (String) -> Void
    ) throws -> Entity {
        let kept = EntityMembers(of: stored, self)
        // The identifiers are equal, so the stored one is another representation of the present one.
        let identifier = keys?.identifier?.name
        var made = try make(entity.id) { name in
            guard let present = entity.members[name] else { return kept[name] }
            return name == identifier ? [present] + kept[name] : [present]
        }
        for key in keys?.list ?? [] where entity.members[key.name] == nil && !kept.has(key) { cannotKeep(key.name) }
        keepLocals(of: stored, in: &made)
        return made
    }

    /// Whether a decoded entity can differ from the stored one in properties that are never decoded.
    var hasLocals: Bool { keys?.locals.isEmpty == false }

    private func keepLocals(of stored: Entity, in entity: inout Entity) {
        for property in keys?.locals ?? [] { _ = property.copy(from: stored, to: &entity) }
    }

    /// An entity with the present values of an incomplete one alone.
    ///
    /// - Throws: An error of the type's `init(from:)`, if a required value is missing.
    func make(_ entity: IncompleteEntity<Entity>) throws -> Entity {
        try make(entity.id) { name in entity.members[name].map { [$0] } ?? [] }
    }

    private func make(_ id: Entity.ID, _ members: @escaping (String) -> [EntityMember]) throws -> Entity {
        let entity = try decode(OverlayDecoder(members: members, userInfo: userInfo))
        guard entity.id == id else { throw OverlayError() }
        return entity
    }
}

/// The values of an entity by coding key.
private final class EntityMembers<Entity: Cachable> {
    private let entity: Entity
    private let filling: EntityFilling<Entity>
    private lazy var encoded = MemberEncoder.members(of: entity, userInfo: filling.userInfo)

    init(of entity: Entity, _ filling: EntityFilling<Entity>) {
        self.entity = entity
        self.filling = filling
    }

    /// The representations of a value: as the property has it, and as it is encoded.
    ///
    /// The second one differs for property wrappers.
    subscript(name: String) -> [EntityMember] {
        isAbsent(name) ? [] : [value(of: name), encoded[name]].compactMap { $0 }
    }

    /// Whether a property with a wrapper is `nil` and isn't encoded, as an ``Omittable`` one that is absent.
    func isAbsent(_ name: String) -> Bool {
        filling.keys?[name]?.property.isWrapped == true && value(of: name)?.isNull == true
            && !encoded.isEmpty && encoded[name] == nil
    }

    private func value(of name: String) -> EntityMember? {
        filling.keys?[name]?.property.value(of: entity).map { EntityMember($0) }
    }

    /// Whether the value of a key is known, or known to be `nil`.
    func has(_ key: FlatCache.PayloadKey<Entity>) -> Bool {
        if key.property.value(of: entity) != nil || encoded[key.name] != nil { return true }
        // Synthesized encoding omits what is `nil`.
        return !encoded.isEmpty && key.property.valueType is any OptionalType.Type
    }
}
