package import Accounts
import FlatCache

/// An owner whose accessors must not use what this file declares for its related type.
struct Lure: Cachable, Luring {
    let id: Int
    // relationship: Decoy
    var decoyID: Int?
    // relationship: Decoy, name: all
    var decoyIDs: [Int]
    // relationship: Decoy
    let fixedID: Int

    /// Of another form than the setter that is generated.
    mutating func setDecoy(to id: Int) { decoyID = id }
}

struct Decoy: Cachable, Equatable {
    let id: Int
    var text = ""
}

nonisolated protocol Luring {}
nonisolated extension Luring {
    func decoy(in cache: FlatCache) -> Decoy? { .wrong }
    mutating func setDecoy(_ decoy: Decoy?, in cache: FlatCache) {}
    func cached(_ id: Int) -> Cached<Decoy> { Cached(id: 99) }
    func missing(_ ids: [Int]) -> [Int] { [99] }
    var flatCacheKey: FlatCacheKey { FlatCacheKey(Decoy.self, id: 99) }
}

nonisolated extension Decoy {
    static var wrong: Decoy { Decoy(id: 99, text: "wrong") }
}

/// Overloads that fit the decoys better than what the library has for all types.
nonisolated extension FlatCache {
    func get(_ type: Decoy.Type, id: Int) -> Decoy? { .wrong }
    func get(_ type: Decoy.Type, ids: [Int]) -> [Decoy] { [.wrong] }
    func set(_ decoy: Decoy) {}
    func set(contentsOf decoys: [Decoy]) {}
    func tracked(_ body: (FlatCache) -> Decoy?) -> Decoy? { .wrong }
    func tracked(_ body: (FlatCache) -> [Decoy]) -> [Decoy] { [.wrong] }
    func missingIDs(of type: Decoy.Type, in ids: [Int]) -> [Int] { [99] }

    func read(
        _ body: () throws(RelationshipError) -> [Decoy]
    ) throws(RelationshipError) -> [Decoy] {
        [.wrong]
    }

    func fetch(_ type: Decoy.Type, id: Int, _ policy: FetchPolicy) async throws(FetchError) -> Decoy { .wrong }
    func fetch(_ type: Decoy.Type, ids: [Int], _ policy: FetchPolicy) async throws(FetchError) -> [Decoy] { [.wrong] }
}

nonisolated extension Cached where Value == Lure {
    var value: Lure? { nil }
    var cache: FlatCache? { nil }
    func fetch(_ policy: FetchPolicy) async throws(FetchError) -> Lure { Lure(id: 9, decoyIDs: [], fixedID: 9) }
    func update(storing decoys: [Decoy], _ body: (inout Lure) -> Void) -> Void? { nil }
}

/// Reads, sets and fetches by accessors whose members are those of the library.
package func checkDecoys(_ checks: inout Checks) async throws {
    let cache = FlatCache()
    var lure = Lure(id: 1, decoyID: 1, decoyIDs: [1, 2, 3], fixedID: 2)
    try FlatCache.withCurrent(cache) {
        store(Decoy(id: 1, text: "one"), in: cache)
        store(Decoy(id: 2, text: "two"), in: cache)
        checks.expect(lure.decoy?.text == "one" && lure.decoy(in: cache)?.text == "one", "one is read")
        checks.expect(lure.all.map(\.id) == [1, 2] && lure.missing(\.all) == [3], "many are read")
        checks.expect(try lure.require(\.fixed).text == "two" && lure.cached(\.fixed).id == 2, "handles are read")
        checks.expect(
            errorOf { () throws(RelationshipError) in try lure.require(\.all) }
                == .relatedMissing(
                    property: "Lure.decoyIDs",
                    owner: FlatCacheKey(Lure.self, id: 1),
                    missing: [FlatCacheKey(Decoy.self, id: 3)]
                ),
            "missing ids are returned"
        )
        lure.decoy = Decoy(id: 4, text: "four")
        lure.setAll([Decoy(id: 5)])
        checks.expect(lure.decoyID == 4 && stored(Decoy.self, 4, in: cache)?.text == "four", "one is set")
        checks.expect(lure.decoyIDs == [5] && stored(Decoy.self, 5, in: cache) != nil, "many are set")
        let expected = RelationshipError.constantIdentifier(property: "Lure.fixedID", holding: "2", insteadOf: "7")
        let error = errorOf { () throws(RelationshipError) in try lure.setFixed(Decoy(id: 7)) }
        checks.expect(error == expected, "a constant isn't")
        store(lure, in: cache)
        let handle = Cached(Lure.self, id: 1)
        checks.expect(handle.decoy?.text == "four" && handle.all.map(\.id) == [5], "handles read")
        checks.expect(handle.cached(\.decoy)?.id == 4 && handle.missing(\.all) == [], "and lead on")
        checks.expect(try handle.require(\.fixed).text == "two", "and throw nothing")
        try handle.set(\.decoy, to: Decoy(id: 8, text: "eight"))
        checks.expect(
            stored(Lure.self, 1, in: cache)?.decoyID == 8 && stored(Decoy.self, 8, in: cache) != nil,
            "and set"
        )
    }
    checks.expect(try await lure.fetchDecoy(in: cache)?.text == "four", "one is fetched")
    checks.expect(try await lure.fetchAll(in: cache).map(\.id) == [5], "many are fetched")
    checks.expect(try await Cached(Lure.self, id: 1, in: cache).fetch(\.decoy)?.text == "eight", "handles fetch")
}

private func store<Value: Cachable>(_ value: Value, in cache: FlatCache) { cache.set(value) }

private func stored<Value: Cachable>(_ type: Value.Type, _ id: Value.ID, in cache: FlatCache) -> Value? {
    cache.get(type, id: id)
}

private func errorOf<Result>(_ body: () throws(RelationshipError) -> Result) -> RelationshipError? {
    do throws(RelationshipError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
