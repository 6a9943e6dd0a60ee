package import Accounts
import FlatCache

/// Reads and sets through the accessors of every shape.
package func checkShapes(_ checks: inout Checks) throws {
    try FlatCache.withCurrent(FlatCache()) {
        checkReading(&checks)
        checkSetting(&checks)
        try checkConstants(&checks)
        try checkHandles(&checks)
    }
}

private func makeShapes() -> Shapes {
    Shapes(
        id: 1,
        oneID: 1,
        maybeOneID: nil,
        manyIDs: [2, 1, 9],
        maybeManyIDs: nil,
        manyMaybeIDs: [1, nil],
        maybeManyMaybeIDs: [nil, 2],
        unorderedIDs: [1, 9],
        maybeUnorderedIDs: [2],
        unorderedMaybeIDs: [nil, 1],
        maybeUnorderedMaybeIDs: nil
    )
}

private func checkReading(_ checks: inout Checks) {
    let cache = FlatCache.current
    let one = Item(id: 1)
    let two = Item(id: 2)
    cache.set(contentsOf: [one, two])
    let shapes = makeShapes()
    checks.expect(shapes.one == one, "an identifier gives its entity")
    checks.expect(shapes.maybeOne == nil && shapes.cached(\.maybeOne) == nil, "no identifier gives nothing")
    checks.expect(shapes.many == [two, one] && shapes.many(in: cache) == [two, one], "an array gives what is present")
    checks.expect(shapes.missing(\.many) == [9] && shapes.missing(\.many, in: cache) == [9], "missing ids are returned")
    checks.expect(shapes.maybeMany == nil && shapes.missing(\.maybeMany) == [], "no array gives nothing")
    checks.expect(shapes.manyMaybe == [one], "identifiers that are missing are left out")
    checks.expect(shapes.maybeManyMaybe == [two], "and in an optional array")
    checks.expect(shapes.unordered == [one] && shapes.missing(\.unordered) == [9], "a set gives what is present")
    checks.expect(shapes.maybeUnordered == [two], "an optional set gives what is present")
    checks.expect(shapes.unorderedMaybe == [one], "a set may hold no identifier too")
    checks.expect(shapes.maybeUnorderedMaybe == nil, "no set gives nothing")
    checks.expect(shapes.cached(\.one).value == one, "a handle gives the entity")
    checks.expect(shapes.cached(\.many).map(\.id) == [2, 1, 9], "handles are there for what is missing too")
    checks.expect(shapes.cached(\.unorderedMaybe).map(\.id) == [1], "handles to a set")
}

private func checkSetting(_ checks: inout Checks) {
    var shapes = makeShapes()
    let item = Item(id: 7, text: "seventh")
    shapes.setOne(item)
    shapes.maybeOne = item
    shapes.many = [item]
    shapes.setMaybeMany([item], in: .current)
    shapes.manyMaybe = [item]
    shapes.maybeManyMaybe = nil
    shapes.unordered = [item, Item(id: 8)]
    shapes.maybeUnordered = [item]
    shapes.unorderedMaybe = []
    shapes.setMaybeUnorderedMaybe([item])
    checks.expect(shapes.oneID == 7 && shapes.maybeOneID == 7, "setters relink one")
    checks.expect(
        shapes.manyIDs == [7] && shapes.maybeManyIDs == [7] && shapes.manyMaybeIDs == [7],
        "setters relink arrays"
    )
    checks.expect(shapes.maybeManyMaybeIDs == nil, "setters unlink arrays")
    checks.expect(shapes.unorderedIDs == [7, 8] && shapes.maybeUnorderedIDs == [7], "setters relink sets")
    checks.expect(shapes.unorderedMaybeIDs == [] && shapes.maybeUnorderedMaybeIDs == [7], "setters relink odd sets")
    checks.expect(FlatCache.current.get(Item.self, id: 7) == item, "setters store")
}

private func checkConstants(_ checks: inout Checks) throws {
    let shapes = ConstantShapes(
        id: 1,
        oneID: 1,
        maybeOneID: nil,
        manyIDs: [2, 1],
        maybeManyIDs: nil,
        manyMaybeIDs: [1],
        maybeManyMaybeIDs: nil,
        unorderedIDs: [1],
        maybeUnorderedIDs: [2],
        unorderedMaybeIDs: [1],
        maybeUnorderedMaybeIDs: nil
    )
    let one = Item(id: 1, text: "first")
    let two = Item(id: 2, text: "second")
    try shapes.setOne(one)
    try shapes.setMaybeOne(nil)
    try shapes.setMany([two, one])
    try shapes.setMaybeMany(nil)
    try shapes.setManyMaybe([one])
    try shapes.setMaybeManyMaybe(nil)
    try shapes.setUnordered([one])
    try shapes.setMaybeUnordered([two])
    try shapes.setUnorderedMaybe([one])
    try shapes.setMaybeUnorderedMaybe(nil)
    checks.expect(
        shapes.one == one && shapes.many == [two, one] && shapes.maybeUnordered == [two],
        "constants are read"
    )
    do {
        try shapes.setMany([one])
        checks.expect(false, "a constant is not relinked")
    } catch {
        checks.expect("\(error)".contains("ConstantShapes.manyIDs"), "the error names the property")
    }
}

private func checkHandles(_ checks: inout Checks) throws {
    let handle = Cached(Shapes.self, id: 1)
    checks.expect(
        handle.one == nil && handle.many == [] && handle.maybeOne == nil,
        "a handle without its entity gives nothing"
    )
    do {
        try handle.set(\.one, to: Item(id: 1))
        checks.expect(false, "nothing is set without the entity")
    } catch {
        checks.expect(error == .ownerMissing(handle.key), "the error names the entity")
    }
    FlatCache.current.set(makeShapes())
    try handle.set(\.maybeOne, to: Item(id: 3, text: "third"))
    try handle.set(\.unordered, to: [Item(id: 4)])
    try handle.set(\.maybeManyMaybe, to: nil)
    checks.expect(
        handle.value?.maybeOneID == 3 && handle.maybeOne?.text == "third",
        "a handle relinks the stored entity"
    )
    checks.expect(handle.unordered == [Item(id: 4)] && handle.value?.maybeManyMaybe == nil, "whatever the shape is")
    checks.expect(
        handle.cached(\.one)?.id == 1 && handle.cached(\.many).map(\.id) == [2, 1, 9],
        "handles lead to handles"
    )
}

/// Fetches through accessors and by key paths.
package func checkFetching(_ checks: inout Checks) async throws {
    let cache = FlatCache()
    cache.setFetcher(of: Item.self) { ids in ids.map { Item(id: $0, text: "fetched") } }
    let shapes = makeShapes()
    checks.expect(try await shapes.fetchOne(in: cache).text == "fetched", "one is fetched")
    checks.expect(
        try await shapes.fetchMany(.cacheFirst, in: cache).map(\.id) == [2, 1, 9],
        "many are fetched, in order"
    )
    checks.expect(try await shapes.fetchMaybeOne(in: cache) == nil, "nothing is fetched for no identifier")
    checks.expect(try await shapes.fetchMaybeManyMaybe(in: cache)?.map(\.id) == [2], "optional ones are fetched")
    checks.expect(try await shapes.fetchUnordered(in: cache).count == 2, "sets are fetched")
    cache.set(shapes)
    checks.expect(
        try await Cached(Shapes.self, id: 1, in: cache).fetch(\.maybeUnordered)?.map(\.id) == [2],
        "handles fetch"
    )
    cache.removeAll()
    try await cache.prefetch(\.one, \.manyMaybe, \.unordered, \.maybeUnorderedMaybe, for: [shapes])
    checks.expect(shapes.missing(\.unordered, in: cache) == [], "key paths are fetched")
}
