public import FlatCacheStore

/// A behaviour that a store must have, with a check of it.
///
/// A test of a store runs all checks, each with an empty place:
///
///     @Test(arguments: StoreCheck.all) func conforms(_ check: StoreCheck) throws {
///         let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
///         defer { try? FileManager.default.removeItem(at: folder) }
///         try check.run { MyStore(at: folder) }
///     }
///
/// ``all`` covers the documentation of `EntityStore`. A store that several processes use also passes ``ofSharing``.
///
/// The checks need no test framework. They can't crash the process or the system, so they don't check what survives a crash.
/// That needs tests of the store's own.
public struct StoreCheck: Sendable, CustomStringConvertible {
    /// A sentence that states the behaviour.
    public let name: String

    private let body: @Sendable (StorePlace) throws -> Void

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - name: A sentence that states the behaviour.
    ///   - body: A closure that uses stores, and throws an ``UnmetExpectation``.
    init(_ name: String, _ body: @escaping @Sendable (StorePlace) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The ``name``.
    public var description: String { name }

    /// Runs the check.
    ///
    /// At the end all stores are closed. Their files remain.
    ///
    /// - Parameter makeStore: A closure that creates a store, without opening it. It is called several times. Each call returns
    ///   another object for the same place, which has no store at the beginning.
    /// - Throws: A ``StoreCheckFailure`` with what was expected and what was found, which may be an error of the store.
    public func run<Store: EntityStore>(_ makeStore: () throws -> Store) throws(StoreCheckFailure) {
        do {
            try withoutActuallyEscaping(makeStore) { makeStore in
                let place = StorePlace { try makeStore() }
                defer { place.closeStores() }
                try body(place)
            }
        } catch {
            throw StoreCheckFailure(of: name, error)
        }
    }
}

extension StoreCheck {
    /// All behaviours that the documentation of `EntityStore` promises, except ``ofSharing``.
    ///
    /// One of them makes random batches, with another seed each time. Its failure names the seed for ``randomBatches(seed:)``.
    public static var all: [StoreCheck] {
        let random = randomBatches(seed: .random(in: 0 ... .max))
        return opening + access + writing + bytes + groups + reading + wholeStore + [random]
    }

    /// The behaviours of a store that implements `refresh()`, `suspend()` and `resume()`, so that several processes can use it.
    public static var ofSharing: [StoreCheck] { refreshing + suspending }
}
