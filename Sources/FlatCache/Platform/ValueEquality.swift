/// A comparison of two values of one type.
///
/// The conformance to `Equatable` is looked up once per table or observer. A lookup per comparison would take six times
/// as long.
@usableFromInline
class ValueEquality: @unchecked Sendable {  // Has no state.
    fileprivate init() {}

    /// Returns whether the values of two optionals in memory, which are both not `nil`, are equal.
    func areEqual(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool { false }

    /// The comparison of a type, or `nil` if it isn't `Equatable`, or its `==` leaves out properties.
    static func of<Value>(_ type: Value.Type) -> ValueEquality? {
        func open<Equal: Equatable>(_: Equal.Type) -> ValueEquality { EqualityOfType<Equal>() }
        guard let equatable = type as? any Equatable.Type, !(type is any PartialEquality.Type) else {
            return nil
        }
        return open(equatable)
    }
}

private final class EqualityOfType<Value: Equatable>: ValueEquality, @unchecked Sendable {
    override func areEqual(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
        // The value of an optional begins at the address of the optional.
        let lhs = lhs.assumingMemoryBound(to: InPlace<Value>.self)
        let rhs = rhs.assumingMemoryBound(to: InPlace<Value>.self)
        guard InPlace.areEqual(lhs.pointee, rhs.pointee) else { return false }
        #if DEBUG
        HiddenDifference.sayOnce(lhs.pointee.value, rhs.pointee.value)
        #endif
        return true
    }
}

/// A value in memory, which the compiler can't copy before it calls a function with it, as it does with the value itself.
struct InPlace<Value>: ~Copyable {
    let value: Value

    static func areEqual(_ lhs: borrowing Self, _ rhs: borrowing Self) -> Bool where Value: Equatable {
        lhs.value == rhs.value
    }
}
