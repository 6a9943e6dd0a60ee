/// The number of an origin of commits, which a commit costs less to carry than the name.
@frozen @usableFromInline
struct OriginNumber: Hashable, Sendable {
    @usableFromInline let number: UInt32

    @inlinable init(_ number: UInt32) {
        self.number = number
    }

    /// No origin.
    @inlinable static var none: OriginNumber { OriginNumber(0) }
    @inlinable static var user: OriginNumber { OriginNumber(1) }
    @inlinable static var server: OriginNumber { OriginNumber(2) }
    static var restore: OriginNumber { OriginNumber(3) }
    /// The origin of entities that come from a store, and so aren't written to it.
    ///
    /// Its name is that of ``restore``.
    @inlinable static var store: OriginNumber { OriginNumber(4) }
    /// The origin of evictions, which leave the entities in the store.
    @inlinable static var eviction: OriginNumber { OriginNumber(5) }
    /// The origin of entities that a store loads because they aren't in memory, as if they had always been there.
    ///
    /// Its name is that of ``restore``.
    @inlinable static var load: OriginNumber { OriginNumber(6) }

    /// Whether a store writes the changes.
    @inlinable var isRecorded: Bool { number &- Self.store.number > 2 }

    /// The origin of a commit that was made before the entity was observed.
    static var unknown: OriginNumber { OriginNumber(.max) }

    /// The number of a name, which is always the same for the same name.
    init(name: String) {
        self = OriginNames.shared.number(of: name)
    }

    /// The name of the number.
    var name: String { OriginNames.shared.name(of: self) }
}

/// The names of origins, whose places are the numbers.
private final class OriginNames: @unchecked Sendable {  // The lock guards all variables.
    static let shared = OriginNames()

    private let lock = Lock()
    private var names = ["", "user", "server", "restore", "restore", "eviction", "restore"]
    private var numbers: [String: OriginNumber] = [
        "user": .user, "server": .server, "restore": .restore, "eviction": .eviction,
    ]

    func number(of name: String) -> OriginNumber {
        lock.withLock {
            if let number = numbers[name] { return number }
            let number = OriginNumber(UInt32(names.count))
            names.append(name)
            numbers[name] = number
            return number
        }
    }

    func name(of number: OriginNumber) -> String { lock.withLock { names[Int(number.number)] } }
}

/// The origins of the commits in a change.
///
/// Nearly all changes have one origin, or are initial and have none. So only several need memory of their own.
@frozen @usableFromInline
struct CommitOrigins: Hashable, Sendable {
    /// The origins if there are several, or `nil`.
    @usableFromInline private(set) var several: Set<OriginNumber>?
    /// The only origin, or the number of none.
    @usableFromInline private(set) var only: OriginNumber

    @inlinable init(_ only: OriginNumber = .none) {
        several = nil
        self.only = only
    }

    /// All origins.
    var all: Set<OriginNumber> { several ?? (only == .none ? [] : [only]) }

    /// Adds the origins of another change.
    @usableFromInline mutating func formUnion(_ others: CommitOrigins) {
        if others == self || others == CommitOrigins() { return }
        if self == CommitOrigins() {
            self = others
        } else if several != nil, others.several == nil {
            // No memory is allocated if the origin is known.
            several?.insert(others.only)
        } else {
            several = all.union(others.all)
            only = .none
        }
    }

    func union(_ others: CommitOrigins) -> CommitOrigins {
        var union = self
        union.formUnion(others)
        return union
    }
}
