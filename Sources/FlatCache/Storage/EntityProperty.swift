/// A property of an entity, for queries and indexes.
@frozen @usableFromInline
struct EntityProperty<Value, Property>: Sendable {
    @usableFromInline let keyPath: any KeyPath<Value, Property> & Sendable
    /// The offset of a stored property, which is read at its place in memory.
    @usableFromInline let offset: Int?

    @inlinable init(_ keyPath: any KeyPath<Value, Property> & Sendable) {
        self.keyPath = keyPath
        offset = MemoryLayout<Value>.offset(of: keyPath)
    }

    /// Whether reading the property runs no user code.
    @inlinable var isStored: Bool { offset != nil }

    @inlinable func value(of entity: Value) -> Property {
        guard let offset else { return entity[keyPath: keyPath] }
        return withUnsafePointer(to: entity) {
            (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Property.self).pointee
        }
    }
}

extension EntityProperty where Property: Hashable & Sendable {
    /// Returns whether the properties of two entities in memory are equal, or is `nil` if that may run user code.
    @inlinable var comparison: KeyComparison? {
        guard let offset, hasBuiltInComparison(Property.self) else { return nil }
        return { first, second in
            (first + offset).assumingMemoryBound(to: Property.self).pointee
                == (second + offset).assumingMemoryBound(to: Property.self).pointee
        }
    }
}
