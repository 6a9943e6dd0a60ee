import Dispatch
import FlatCache
import Foundation

@testable import FlatCacheStore

struct Author: Storable, Codable, Equatable {
    static let storedName = "Author"

    let id: String
    var name: String
}

/// An entity with an identifier of the app's own, and properties that records encode in other ways.
struct Memo: Storable, Codable, Equatable {
    static let storedName = "Memo"

    struct ID: Hashable, Codable, Sendable {
        var domain: String
        var number: Int
    }

    let id: ID
    var text: String
    var authorID: String?
    var date = Date(timeIntervalSinceReferenceDate: 0.1)

    init(_ number: Int, _ text: String = "", by authorID: String? = nil) {
        id = ID(domain: "example.org", number: number)
        self.text = text
        self.authorID = authorID
    }
}

/// A time that a test moves.
final class TestTime: @unchecked Sendable {  // The lock guards the time.
    private let lock = NSLock()
    private var milliseconds: UInt64 = 1_000_000_000_000

    func move(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        lock.withLock {
            milliseconds = UInt64(Int64(milliseconds) + seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
        }
    }

    var system: SystemTime { SystemTime { [self] in now } }

    fileprivate var now: UInt64 { lock.withLock { milliseconds } }

    /// The clock of a cache, which goes with the time.
    struct AsClock: Clock {
        struct Instant: InstantProtocol {
            var milliseconds: Int64

            func advanced(by duration: Duration) -> Instant {
                Instant(milliseconds: milliseconds + duration.components.seconds * 1_000)
            }

            func duration(to other: Instant) -> Duration { .milliseconds(other.milliseconds - milliseconds) }

            static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.milliseconds < rhs.milliseconds }
        }

        let time: TestTime

        var now: Instant { Instant(milliseconds: Int64(time.now)) }

        var minimumResolution: Duration { .milliseconds(1) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws { await Task.yield() }
    }
}

/// Errors that a store has reported.
final class Errors: @unchecked Sendable {  // The lock guards the errors.
    private let lock = NSLock()
    private var errors: [StoreError] = []

    func report(_ error: StoreError) { lock.withLock { errors.append(error) } }

    var all: [StoreError] { lock.withLock { errors } }

    var texts: [String] { all.map { "\($0)" } }
}

/// Creates a cache whose store writes only when a test asks for it.
func openCache(
    _ store: any EntityStore,
    for types: [any Storable.Type] = [Author.self, Memo.self],
    onDemand: [any Storable.Type] = [],
    _ access: StoreAccess = .readWrite,
    after delay: Duration = .seconds(3_600),
    time: TestTime = TestTime(),
    errors: Errors = Errors()
) async throws -> FlatCache {
    let connection = CacheStore(
        store,
        access,
        onDemand: onDemand,
        delay: delay,
        time: time.system,
        onError: { errors.report($0) }
    )
    return try await FlatCache(connection, for: types + onDemand, clock: TestTime.AsClock(time: time))
}

extension FlatCache {
    /// Closes the store and creates a new cache with it.
    func restarted(
        _ store: any EntityStore,
        time: TestTime = TestTime(),
        errors: Errors = Errors()
    ) async throws
        -> FlatCache
    {
        try await self.store?.close()
        return try await openCache(store, time: time, errors: errors)
    }
}

/// What a cache has of the models, for comparisons.
struct Contents: Equatable {
    var authors: [Author]
    var notes: [Memo]
    var lists: [String: [Memo.ID]]
    var references: [String: String]

    init(of cache: FlatCache, names: [String] = ["a", "b"]) {
        self = cache.read {
            Contents(
                authors: cache.allValues(of: Author.self, inOrder: true),
                notes: cache.allValues(of: Memo.self, inOrder: true),
                lists: Dictionary(uniqueKeysWithValues: names.map { ($0, Array(cache.list($0, of: Memo.self).ids)) }),
                references: names.reduce(into: [:]) { $0[$1] = cache.reference($1, of: Author.self).id }
            )
        }
    }

    private init(authors: [Author], notes: [Memo], lists: [String: [Memo.ID]], references: [String: String]) {
        self.authors = authors
        self.notes = notes
        self.lists = lists
        self.references = references
    }
}

/// A value behind a lock.
final class Protected<Value>: @unchecked Sendable {  // The lock guards the value.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
