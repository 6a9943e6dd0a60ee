/// A value in an entity, of which a payload has only a part.
enum PartialMember {
    /// A value that was decoded, and what the payload leaves out of it.
    case decoded(Any, Absence)
    /// A value that leaves out something required.
    case incomplete(IncompleteMember)

    /// The value without what is stored, or `nil` if it leaves out something required.
    var value: Any? {
        switch self {
        case .decoded(let value, _): value
        case .incomplete(let part): part.value
        }
    }

    /// The required keys that are absent, as paths.
    var missing: [String] {
        switch self {
        case .decoded: []
        case .incomplete(let part): part.missing
        }
    }

    /// The value with everything else from another one, or `nil` if it can't be put together.
    func completed(from kept: Any) -> Any? {
        switch self {
        case .decoded(let value, let absence): absence.filled(value, from: kept)
        case .incomplete(let part): part.completed(from: kept)
        }
    }

    /// This part and an earlier one of the same value, or `nil` if they can't be put together.
    func adding(to earlier: EntityMember) -> EntityMember? {
        guard case .value(let earlier) = earlier else { return .value(self) }
        switch (earlier as? PartialMember ?? .decoded(earlier, .none), self) {
        case (.decoded(let old, let absent), .decoded(let new, let absence)):
            return absence.filled(new, from: old).map {
                .value(PartialMember.decoded($0, absence.intersection(absent)))
            }
        case (let old, let new):
            return old.parts.flatMap { new.parts?.adding(to: $0) }.map { .value(PartialMember.incomplete($0)) }
        }
    }

    /// The members that are there, or `nil` if the value can't be taken apart.
    private var parts: IncompleteMember? {
        switch self {
        case .incomplete(let part): part
        case .decoded(let value, let absence): unwrapped(value).flatMap { IncompleteMember($0, without: absence) }
        }
    }
}

/// The members of a value or a nested container that leaves out something required.
struct IncompleteMember {
    /// The type of the value, or `nil` for a nested container.
    let type: (any Decodable.Type)?
    /// The error of the value's `init(from:)`, or `nil` for a value that leaves out nothing required.
    let error: (any Error)?
    /// The values that are there, by key.
    let members: [String: EntityMember]
    /// The keys that are there and whose types aren't known.
    let uncaptured: Set<String>
    /// The required keys that are absent, as paths.
    let missing: [String]

    init(
        type: (any Decodable.Type)?,
        error: (any Error)?,
        members: [String: EntityMember],
        uncaptured: Set<String>,
        missing: [String]
    ) {
        self.type = type
        self.error = error
        self.members = members
        self.uncaptured = uncaptured
        self.missing = missing
    }

    /// Whether the value is a case of an enumeration, as far as that is known.
    ///
    /// - Parameter kept: The stored value, or `nil` if there is none.
    func isCase(like kept: Any?) -> Bool {
        if let kept = kept.flatMap({ unwrapped($0) }) { return Mirror(reflecting: kept).displayStyle == .enum }
        return members.values.contains {
            if case .incomplete(let part)? = $0.value(as: PartialMember.self) { part.type == nil } else { false }
        }
    }

    /// Takes a value or a nested container apart.
    fileprivate init?(_ value: Any, without absence: Absence) {
        func open<Value: Decodable>(_ value: Value) -> [String: EntityMember]? { CodedMembers(of: value)?.members }
        let decodable = value as? any Decodable
        guard var members = (value as? NestedMembers)?.members ?? decodable.flatMap({ open($0) }) else { return nil }
        // Another optional key was null, which isn't encoded.
        if let decodable, Mirror(reflecting: value).displayStyle == .struct {
            for key in MemberKeys.known(of: Swift.type(of: decodable)) ?? [] where members[key.name] == nil {
                members[key.name] = .null
            }
        }
        for name in absence.keys { members[name] = nil }
        for member in absence.members {
            guard let part = members[member.name]?.value(as: Any.self) else { continue }
            members[member.name] = .value(PartialMember.decoded(part, member.absence))
        }
        let type = decodable.map { Swift.type(of: $0) }
        self.init(type: type, error: nil, members: members, uncaptured: [], missing: [])
    }

    fileprivate var value: Any? {
        var all = members
        for (name, member) in members {
            guard let part = member.value(as: PartialMember.self) else { continue }
            guard let value = part.value else { return nil }
            all[name] = .value(value)
        }
        if let type { return OverlayDecoder.value(of: type, all, without: uncaptured) }
        return uncaptured.isEmpty ? NestedMembers(members: all) : nil
    }

    fileprivate func completed(from kept: Any) -> Any? {
        if let kept = kept as? NestedMembers {
            guard type == nil, uncaptured.isEmpty else { return nil }
            return changed(from: kept.members).map { NestedMembers(members: kept.members.merging($0) { $1 }) }
        }
        func open<Value: Decodable>(_ kept: Value) -> Any? {
            let made: Value? = made(from: kept)
            return made
        }
        return (unwrapped(kept) as? any Decodable).flatMap { open($0) }
    }

    private func made<Value>(from kept: Value) -> Value? {
        guard let stored = CodedMembers(of: kept), let changed = changed(from: stored.members) else { return nil }
        return stored.value(withExactly: changed, without: uncaptured)
    }

    /// The members, of which parts have everything else from stored ones, or `nil` if one can't be put together.
    private func changed(from kept: [String: EntityMember]) -> [String: EntityMember]? {
        var changed = members
        for (name, member) in members {
            guard let part = member.value(as: PartialMember.self) else { continue }
            let old = kept[name]?.value(as: Any.self)
            guard let value = old.map({ part.completed(from: $0) }) ?? part.value else { return nil }
            changed[name] = .value(value)
        }
        return changed
    }

    fileprivate func adding(to earlier: IncompleteMember) -> IncompleteMember? {
        guard let all = EntityMember.merged(members, after: earlier.members) else { return nil }
        return IncompleteMember(
            type: type,
            error: error ?? earlier.error,
            members: all,
            uncaptured: earlier.uncaptured.subtracting(members.keys).union(uncaptured),
            missing: missing.filter(earlier.missing.contains)
        )
    }
}

extension EntityMember {
    /// Members with earlier ones, or `nil` if two parts of a value can't be put together.
    static func merged(
        _ members: [String: EntityMember],
        after earlier: [String: EntityMember]
    ) -> [String: EntityMember]? {
        var all = earlier.merging(members) { $1 }
        for (name, member) in members {
            guard let part = member.value(as: PartialMember.self), let old = earlier[name] else { continue }
            guard let both = part.adding(to: old) else { return nil }
            all[name] = both
        }
        return all
    }
}

extension Absence {
    /// What is left out of both of two parts of a value.
    fileprivate func intersection(_ other: Absence) -> Absence {
        Absence(
            keys: keys.filter(other.keys.contains),
            members: members.compactMap { member in
                if other.keys.contains(member.name) { return member }
                let absence = other[member.name].map { member.absence.intersection($0) }
                return absence.flatMap { $0.isEmpty ? nil : Member(name: member.name, absence: $0) }
            } + other.members.filter { keys.contains($0.name) }
        )
    }
}

extension Absence {
    /// A value with what the payload leaves out of it, taken from another one.
    ///
    /// - Parameters:
    ///   - sent: The decoded value.
    ///   - kept: The stored one.
    /// - Returns: `nil` if the value can't be taken apart, or can't be put together again.
    func filled(_ sent: Any, from kept: Any) -> Any? {
        func open<Value: Decodable>(_ sent: Value) -> Any? {
            guard let kept = unwrapped(kept) as? Value else { return nil }
            let filled: Value? = copied(sent, from: kept) ?? coded(sent, from: kept)
            return filled
        }
        if let sent = sent as? NestedMembers, let kept = kept as? NestedMembers {
            return merged(sent.members, from: kept.members).map {
                NestedMembers(members: sent.members.merging($0) { $1 })
            }
        }
        return (unwrapped(sent) as? any Decodable).flatMap { open($0) }
    }

    /// The value with properties of another one, or `nil` if the type has no table of properties that can be set.
    private func copied<Value>(_ sent: Value, from kept: Value) -> Value? {
        func open<Owner: FlatCache.PayloadOwner>(_ type: Owner.Type) -> Value? {
            guard var filled = sent as? Owner, let kept = kept as? Owner else { return nil }
            let table = Owner.payloadKeys
            for name in keys {
                guard let property = table.first(where: { $0.name == name })?.property, !property.isWrapped,
                    property.copy(from: kept, to: &filled)
                else { return nil }
            }
            for member in members {
                guard let property = table.first(where: { $0.name == member.name })?.property,
                    let sent = property.value(of: filled), let kept = property.value(of: kept)
                else { return nil }
                if unwrapped(kept) == nil { continue }
                guard let value = member.absence.filled(sent, from: kept), property.set(value, in: &filled) else {
                    return nil
                }
            }
            return filled as? Value
        }
        return (Value.self as? any FlatCache.PayloadOwner.Type).flatMap { open($0) }
    }

    private func coded<Value>(_ sent: Value, from kept: Value) -> Value? {
        guard let coded = CodedMembers(of: sent), let stored = CodedMembers(of: kept),
            let changed = merged(coded.members, from: stored.members)
        else { return nil }
        return coded.value(withExactly: changed)
    }

    /// The members that are taken from a stored value, or `nil` if one can't be filled.
    private func merged(_ sent: [String: EntityMember], from kept: [String: EntityMember]) -> [String: EntityMember]? {
        var changed: [String: EntityMember] = [:]
        for name in keys { changed[name] = kept[name] }
        for member in members {
            guard case .value(let sent)? = sent[member.name], case .value(let kept)? = kept[member.name] else {
                continue
            }
            guard let filled = member.absence.filled(sent, from: kept) else { return nil }
            changed[member.name] = .value(filled)
        }
        return changed
    }
}

extension CodedMembers {
    /// The value with other members, or `nil` if its `init(from:)` makes something else of them.
    ///
    /// - Parameters:
    ///   - changed: The other members.
    ///   - unknown: The members that the initializer must not ask for.
    fileprivate func value(withExactly changed: [String: EntityMember], without unknown: Set<String> = []) -> Value? {
        let all = members.merging(changed) { $1 }
        guard let type = Value.self as? any Decodable.Type,
            let value = OverlayDecoder.value(of: type, all, without: unknown) as? Value,
            let made = CodedMembers(of: value)?.members
        else { return nil }
        return Set(made.keys).union(all.keys).allSatisfy { EntityMember.areSame(made[$0], all[$0]) } ? value : nil
    }
}

extension OverlayDecoder {
    /// Decodes a value of members, or returns `nil` if that isn't possible without others.
    ///
    /// - Parameter unknown: The members that the initializer must not ask for.
    fileprivate static func value(
        of type: any Decodable.Type,
        _ members: [String: EntityMember],
        without unknown: Set<String>
    ) -> Any? {
        var isKnown = true
        let decoder = OverlayDecoder(
            members: { name in
                if unknown.contains(name) { isKnown = false }
                return MemberValues(known: members[name].map { [$0] } ?? [])
            },
            keys: { Array(members.keys) },
            userInfo: [:]
        )
        let value: Any? = try? type.init(from: decoder)
        return isKnown ? value : nil
    }
}

/// A value that can be optional, or `nil` if it is `nil`.
func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalType else { return value }
    func open<Wrapped: OptionalType>(_ value: Wrapped) -> Any? { value.wrappedValue }
    return open(optional)
}
