/// The merging of an entity of a payload with the stored one.
///
/// Absent properties take their stored values.
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
    ///   - absence: What the payload leaves out.
    ///   - stored: The stored entity.
    ///   - cannotKeep: A closure that is called for each property whose stored value can't be read.
    /// - Throws: An ``UnrestoredProperty``, if a property would lose its stored value.
    func fill(
        _ entity: Entity,
        _ absence: Absence,
        from stored: Entity,
        cannotKeep: (String) -> Void
    ) throws -> Entity {
        let absent = absence.keys
        var filled = entity
        keepLocals(of: stored, in: &filled)
        var constants: [String] = []
        let kept = EntityMembers(of: stored, self)
        let decoded = EntityMembers(of: entity, self)
        for name in absent {
            guard let key = keys?[name] else {
                if !kept[name].isEmpty { constants.append(name) }
                continue
            }
            if key.property.isWrapped && kept.isAbsent(name) { continue }
            if !key.property.copy(from: stored, to: &filled) { constants.append(name) }
        }
        for member in absence.members {
            guard let sent = decoded.value(of: member.name), let old = kept.value(of: member.name) else {
                if !decoded.isNull(member.name) && !kept.isNull(member.name) { member.paths.forEach(cannotKeep) }
                continue
            }
            guard let value = member.absence.filled(sent, from: old) else {
                member.paths.forEach(cannotKeep)
                continue
            }
            decoded.replace(member.name, with: value)
            if keys?.property(at: member.name)?.set(value, in: &filled) != true { constants.append(member.name) }
        }
        // The identifier can be computed from properties that the payload leaves out.
        if constants.isEmpty { return filled.id == entity.id ? filled : entity }
        let source = { absent.contains($0) ? kept : decoded }
        do { try restore(&filled, constants, from: source) } catch {
            // Without a sent value, `init(from:)` would run as if it were absent.
            var isComplete = keys?.list.allSatisfy { absent.contains($0.name) || decoded.has($0) } == true
            let names = { Array(Set(kept.names.filter(absent.contains)).union(decoded.names)) }
            let made = try? make(entity.id, names) { [keys] name in
                let members = source(name)[name]
                if members.isEmpty && keys?.property(at: name) == nil && !absent.contains(name)
                    && !decoded.canOmit(name)
                {
                    isComplete = false
                }
                return members
            }
            guard isComplete, var made else { throw error }
            keepLocals(of: stored, in: &made)
            do { try restore(&made, constants, from: source) } catch _ { throw error }
            filled = made
        }
        for name in constants where keys?[name].map(kept.has) == false { cannotKeep(name) }
        return filled.id == entity.id ? filled : entity
    }

    /// What an incomplete entity has of an entity after it that the payload leaves out there.
    ///
    /// - Parameters:
    ///   - earlier: The incomplete entity.
    ///   - entity: The later one, which is whole.
    ///   - absence: What the payload leaves out of the later one.
    /// - Returns: `nil` if two parts of a value can't be put together.
    func rest(
        of earlier: IncompleteEntity<Entity>,
        for entity: Entity,
        _ absence: Absence
    ) -> IncompleteEntity<Entity>? {
        let decoded = EntityMembers(of: entity, self)
        var members = earlier.members.filter { absence.keys.contains($0.key) }
        for member in absence.members {
            guard let sent = decoded.value(of: member.name), let old = earlier.members[member.name]?.first else {
                continue
            }
            guard let both = PartialMember.decoded(sent, member.absence).adding(to: old) else { return nil }
            members[member.name] = [both]
        }
        let rest = IncompleteEntity<Entity>(
            id: earlier.id,
            missing: [],
            codingPath: earlier.codingPath,
            members: members,
            uncaptured: earlier.uncaptured.intersection(absence.keys)
        )
        return rest.partialMembers.values.allSatisfy { $0.value != nil } ? rest : nil
    }

    /// An entity with the present values of an incomplete one, and with all others of the stored one.
    ///
    /// - Parameters:
    ///   - entity: The incomplete entity.
    ///   - stored: The stored entity.
    ///   - cannotKeep: A closure that is called for each property whose stored value can't be read.
    ///   - cannotRead: A closure that is called for each case of an enumeration that can't be completed. The stored one
    ///     is kept.
    /// - Throws: An error of the type's `init(from:)`, if it can't be made. An ``UnrestoredProperty``, if a property would
    ///   lose its stored value.
    func complete(
        _ entity: IncompleteEntity<Entity>,
        from stored: Entity,
        cannotKeep: (String) -> Void,
        cannotRead: (PayloadProblem) -> Void
    ) throws -> Entity {
        let kept = EntityMembers(of: stored, self)
        // The identifiers are equal, so the stored one is another representation of the present one.
        let identifier = keys?.identifier?.name
        var members = entity.members
        for (name, part) in entity.partialMembers {
            let old = kept.value(of: name)
            if let value = old.map({ part.completed(from: $0) }) ?? part.value {
                members[name] = [.value(value)]
                continue
            }
            switch part {
            case .decoded(let value, let absence):
                Absence.Member(name: name, absence: absence).paths.forEach(cannotKeep)
                members[name] = [.value(value)]
            case .incomplete(let member):
                guard member.isCase(like: old), let type = member.type, let error = member.error else {
                    throw old == nil ? entity.problem : UnrestoredProperty(name: name)
                }
                // A case costs only itself.
                cannotRead(PayloadProblem(error, of: type, at: entity.codingPath + [AnyCodingKey(name)]))
                members[name] = nil
            }
        }
        var made: Entity
        var lost: String?
        do {
            let names = { [members] in Array(Set(kept.names).union(members.keys)) }
            made = try make(entity.id, names) { [members] name in
                if entity.uncaptured.contains(name) { lost = name }
                guard let present = members[name] else { return kept[name] }
                if name != identifier { return MemberValues(known: present) }
                let stored = kept[name]
                return MemberValues(known: present + stored.known, makeOther: stored.makeOther)
            }
        } catch {
            if let lost { throw entity.loss(of: lost) }
            throw UnrestoredProperty(error) ?? error
        }
        if let lost { throw entity.loss(of: lost) }
        for key in keys?.list ?? [] where members[key.name] == nil && !kept.has(key) { cannotKeep(key.name) }
        keepLocals(of: stored, in: &made)
        try restore(&made, []) { members[$0] == nil ? kept : nil }
        guard made.id == entity.id else { throw OverlayError() }
        return made
    }

    /// Gives properties the values of other entities, because an `init(from:)` can change the values that it reads.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - names: Keys that the initializer asks for, besides those of the list.
    ///   - source: Returns the entity with the value of a key, or `nil` to leave the property as it is.
    /// - Throws: An ``UnrestoredProperty``, if a property has another value and can't be set.
    private func restore(
        _ entity: inout Entity,
        _ names: [String],
        from source: (String) -> EntityMembers<Entity>?
    ) throws {
        var constants: [(name: String, source: EntityMembers<Entity>)] = []
        let identifier = keys?.identifier?.name
        for key in keys?.list ?? [] {
            // The identifiers are equal.
            guard key.name != identifier, let source = source(key.name) else { continue }
            // Setting a property can change more of its wrapper than the value.
            if key.property.isWrapped && source.isAbsent(key.name) { continue }
            if !source.copy(key, to: &entity) { constants.append((key.name, source)) }
        }
        for name in Set(names).union((keys?.unlisted ?? []).map { $0.name }) where keys?.property(at: name) == nil {
            if let source = source(name) { constants.append((name, source)) }
        }
        if constants.isEmpty { return }
        let restored = EntityMembers(of: entity, self)
        for (name, source) in constants where !source.hasSameValue(of: name, as: restored) {
            throw UnrestoredProperty(name: name)
        }
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
        var isComplete = true
        let made = try make(entity.id, { Array(entity.members.keys) }) { name in
            if entity.uncaptured.contains(name) { isComplete = false }
            let present = entity.members[name] ?? []
            guard let part = present.first?.value(as: PartialMember.self) else { return MemberValues(known: present) }
            let value = part.value
            if value == nil { isComplete = false }
            return MemberValues(known: value.map { [.value($0)] } ?? [])
        }
        guard isComplete else { throw OverlayError() }
        return made
    }

    private func make(
        _ id: Entity.ID,
        _ keys: @escaping () -> [String],
        _ members: @escaping (String) -> MemberValues
    ) throws -> Entity {
        let entity = try decode(OverlayDecoder(members: members, keys: keys, userInfo: userInfo))
        guard entity.id == id else { throw OverlayError() }
        return entity
    }
}

/// The error of a property whose stored value an `init(from:)` doesn't restore.
struct UnrestoredProperty: Error {
    let name: String

    init(name: String) {
        self.name = name
    }

    /// The property that an `init(from:)` can't read in values that were decoded before, or `nil` for another error.
    init?(_ error: any Error) {
        switch error {
        case let error as OverlayError:
            guard let key = error.key else { return nil }
            name = key
        case DecodingError.keyNotFound(let key, _): name = key.stringValue
        default: return nil
        }
    }
}

/// The values of an entity by coding key.
private final class EntityMembers<Entity: Cachable> {
    let entity: Entity
    private let filling: EntityFilling<Entity>
    private lazy var encoded = MemberEncoder.members(of: entity, userInfo: filling.userInfo, isNested: true)
    /// Values that replace those of the entity.
    private var replaced: [String: Any] = [:]

    init(of entity: Entity, _ filling: EntityFilling<Entity>) {
        self.entity = entity
        self.filling = filling
    }

    /// The representations of a value: as the property has it, and as it is encoded.
    ///
    /// The second one differs for property wrappers.
    subscript(name: String) -> MemberValues {
        if let value = replaced[name] { return MemberValues(known: [EntityMember(value)]) }
        if let property = filling.keys?.property(at: name), let value = value(of: property) {
            // Encoding an entity takes long, and is rarely necessary.
            if !property.isWrapped { return MemberValues(known: [value]) { self.encoded[name] } }
            if isAbsent(name) { return MemberValues(known: []) }
            return MemberValues(known: [value, encoded[name]].compactMap { $0 }) { self.wrapper(of: name) }
        }
        return MemberValues(known: encoded[name].map { [$0] } ?? [])
    }

    /// The keys of the encoded values.
    var names: [String] { Array(encoded.keys) }

    /// The property wrapper of an entity that can't be encoded, or `nil` if it isn't known which one has the key.
    private func wrapper(of name: String) -> EntityMember? {
        let wrappers = Mirror(reflecting: entity).children.filter { $0.label?.hasPrefix("_") == true }
        if let wrapper = wrappers.first(where: { $0.label == "_\(name)" }) { return .value(wrapper.value) }
        let types = [filling.keys?.property(at: name)?.valueType, filling.keys?.learntType(of: name)]
        let candidates = wrappers.filter { types.contains { [value = $0.value] in $0 == type(of: value) } }
        return candidates.count == 1 ? .value(candidates[0].value) : nil
    }

    func replace(_ name: String, with value: Any) { replaced[name] = value }

    /// Gives another entity the property of a key.
    ///
    /// - Returns: Whether the property can be set.
    func copy(_ key: FlatCache.PayloadKey<Entity>, to other: inout Entity) -> Bool {
        if let value = replaced[key.name] { return key.property.set(value, in: &other) }
        return key.property.copy(from: entity, to: &other)
    }

    /// The value of a key, or `nil` if it is `nil` or not known.
    func value(of name: String) -> Any? { self[name].known.lazy.compactMap { $0.value(as: Any.self) }.first }

    /// Whether the value of a key is known to be `nil`, or isn't encoded as `nil` isn't.
    func isNull(_ name: String) -> Bool {
        self[name].known.isEmpty ? !encoded.isEmpty : self[name].hasNull
    }

    /// Whether a property with a wrapper is `nil` and isn't encoded, as an ``Omittable`` one that is absent.
    func isAbsent(_ name: String) -> Bool {
        guard let property = filling.keys?.property(at: name), property.isWrapped else { return false }
        return value(of: property)?.isNull == true && !encoded.isEmpty && encoded[name] == nil
    }

    /// Whether another entity has the same value of a key.
    func hasSameValue(of name: String, as other: EntityMembers) -> Bool {
        switch (self[name].known.first, other[name].known.first) {
        case (.value?, .value?): EntityMember.areSame(self[name].known.first, other[name].known.first)
        case (.null?, .null?), (nil, nil): true
        default: false
        }
    }

    private func value(of property: PayloadProperty<Entity>) -> EntityMember? {
        guard let value = property.value(of: entity) else { return nil }
        return EntityMember(value)
    }

    /// Whether the value of a key is known, or known to be `nil`.
    func has(_ key: FlatCache.PayloadKey<Entity>) -> Bool {
        if key.property.value(of: entity) != nil || encoded[key.name] != nil { return true }
        if encoded.isEmpty { return false }
        // The key can be one of another case of an enumeration.
        return filling.keys?.isOpen == true || key.property.valueType is any OptionalType.Type
    }

    /// Whether a key that isn't in the list can be one that isn't encoded because its value is `nil`.
    func canOmit(_ name: String) -> Bool {
        if encoded.isEmpty { return false }
        return filling.keys?.learntType(of: name).map { $0 is any OptionalType.Type } ?? true
    }
}
