/// Compares two values of one type.
///
/// The conformance to `Equatable` is looked up once for a table or an observer instead of once for a comparison, which
/// takes six times as long.
@usableFromInline
class ValueEquality: @unchecked Sendable {  // Has no state.
    fileprivate init() {}

    /// Returns whether two values are equal, which are there, in memory that holds optional ones.
    @usableFromInline func areEqual(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool { false }

    /// The equality of a type, or `nil` when it isn't `Equatable`.
    static func of<Value>(_ type: Value.Type) -> ValueEquality? {
        func open<Equal: Equatable>(_: Equal.Type) -> ValueEquality { EqualityOfType<Equal>() }
        guard let type = type as? any Equatable.Type else { return nil }
        return open(type)
    }
}

private final class EqualityOfType<Value: Equatable>: ValueEquality, @unchecked Sendable {
    override func areEqual(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
        // A value that is there begins where its optional begins.
        lhs.assumingMemoryBound(to: Value.self).pointee == rhs.assumingMemoryBound(to: Value.self).pointee
    }
}
