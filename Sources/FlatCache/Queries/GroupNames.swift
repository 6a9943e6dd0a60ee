/// The names of groups: one object for each key, so that groups are handled without the type of the key.
///
/// The closures have the state of one observer.
struct GroupNames {
    /// The name of the group of a match, or `nil` if it is in no group, which may run user code.
    let name: (AnyQueryMatch) -> AnyGroupName?
    /// Forgets a name whose group is gone, which may run user code.
    let forget: (AnyGroupName) -> Void

    init(
        name: @escaping (AnyQueryMatch) -> AnyGroupName?,
        forget: @escaping (AnyGroupName) -> Void
    ) {
        self.name = name
        self.forget = forget
    }

    /// Creates the names of groups by a property.
    ///
    /// - Parameters:
    ///   - projection: The property.
    ///   - key: Returns the key of a value, or `nil` for none.
    init<Value, Property, Key: Hashable & Sendable>(
        _ projection: QueryProjection<Value, Property>,
        _ key: @escaping @Sendable (Property) -> Key?
    ) {
        // Keys that aren't equal to themselves, as NaN, aren't found among others.
        let names = TurnState((named: KeyedValues<Key, AnyGroupName>(), unequal: AnyGroupName?.none))
        self.init { match in
            guard let key = key(projection.value(match)) else { return nil }
            let isEqual = key == key
            if let name = isEqual ? names.state.named[key] : names.state.unequal { return name }
            let name = GroupName(key)
            if isEqual { names.state.named[key] = name } else { names.state.unequal = name }
            return name
        } forget: { name in
            let key = name.key(as: Key.self)
            if key == key { names.state.named[key] = nil } else { names.state.unequal = nil }
        }
    }
}

/// The name of a group without the type of the key.
@usableFromInline
class AnyGroupName: @unchecked Sendable {  // Constant.
    init() {}

    /// The key, whose type the caller knows.
    @usableFromInline final func key<Key: Sendable>(as type: Key.Type) -> Key {
        unsafeDowncast(self, to: GroupName<Key>.self).key
    }
}

/// The name of a group.
final class GroupName<Key: Sendable>: AnyGroupName, @unchecked Sendable {  // Constant.
    let key: Key

    init(_ key: Key) {
        self.key = key
        super.init()
    }
}
