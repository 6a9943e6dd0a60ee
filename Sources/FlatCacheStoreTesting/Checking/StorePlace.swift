internal import FlatCacheStore

/// The place for which a check makes stores, with the records that it should have.
final class StorePlace {
    /// The records that were written by all stores of the place.
    var records = ExpectedRecords()

    private let makeStore: () throws -> any EntityStore
    private var stores: [any EntityStore] = []

    init(_ makeStore: @escaping () throws -> any EntityStore) {
        self.makeStore = makeStore
    }

    /// Returns another store, which isn't open.
    func make() throws -> CheckedStore {
        let store = try attempt("creating a store") { try makeStore() }
        stores.append(store)
        return CheckedStore(store, in: self)
    }

    /// Returns another store, which is open.
    func open(_ access: StoreAccess = .readWrite) throws -> CheckedStore {
        let store = try make()
        try store.open(access)
        return store
    }

    /// Closes the stores that a check has left open.
    func closeStores() {
        for store in stores { store.close() }
    }
}

/// Calls a closure, and describes an error that it throws.
///
/// - Parameters:
///   - operation: What the closure does, as a noun.
///   - body: The closure.
func attempt<Result>(_ operation: String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as UnmetExpectation {
        throw error
    } catch {
        throw UnmetExpectation(expected: "\(operation) to throw no error", found: "the error '\(error)'")
    }
}
