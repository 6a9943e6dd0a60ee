package import Accounts
import FlatCache

/// Reads, sets and fetches relationships of every shape by their key paths, of values and of handles.
package func checkKeyPaths(_ checks: inout Checks) async throws {
    let cache = FlatCache()
    cache.setFetcher(of: Item.self) { ids in ids.map { Item(id: $0, text: "fetched") } }
    let handle = Cached(Shapes.self, id: 1, in: cache)
    checkNothing(of: handle, &checks)
    cache.set(
        Shapes(
            id: 1,
            oneID: 1,
            maybeOneID: nil,
            manyIDs: [],
            maybeManyIDs: nil,
            manyMaybeIDs: [],
            maybeManyMaybeIDs: nil,
            unorderedIDs: [],
            maybeUnorderedIDs: nil,
            unorderedMaybeIDs: [],
            maybeUnorderedMaybeIDs: nil
        )
    )
    try setAll(of: handle)
    try checkValues(of: handle, &checks)
    try checkHandles(to: handle, in: cache, &checks)
    try await checkFetching(of: handle, in: cache, &checks)
    try await checkConstants(in: cache, &checks)
    try await checkGenericKeyPaths(in: cache, &checks)
}

private func checkNothing(of handle: Cached<Shapes>, _ checks: inout Checks) {
    checks.expect(handle.cached(\.one) == nil && handle.cached(\.maybeOne) == nil, "no handles of one without an owner")
    checks.expect(handle.cached(\.many) == [] && handle.cached(\.maybeUnordered) == nil, "nor of many")
    checks.expect(handle.missing(\.one) == [] && handle.missing(\.manyMaybe) == [], "and nothing is missing")
    do throws(FlatCache.RelationshipError) {
        let all: [Item]? = try handle.require(\.maybeMany)
        checks.expect(all != nil, "nothing is there without an owner")
    } catch {
        checks.expect(error == .ownerMissing(handle.key), "and the error names it")
    }
}

private func setAll(of handle: Cached<Shapes>) throws(FlatCache.RelationshipError) {
    try handle.set(\.one, to: Item(id: 1))
    try handle.set(\.maybeOne, to: Item(id: 2))
    try handle.set(\.many, to: [Item(id: 3), Item(id: 1)])
    try handle.set(\.maybeMany, to: [Item(id: 4)])
    try handle.set(\.manyMaybe, to: [Item(id: 5)])
    try handle.set(\.maybeManyMaybe, to: [Item(id: 6)])
    try handle.set(\.unordered, to: [Item(id: 7)])
    try handle.set(\.maybeUnordered, to: [Item(id: 8)])
    try handle.set(\.unorderedMaybe, to: [Item(id: 9)])
    try handle.set(\.maybeUnorderedMaybe, to: nil)
}

private func checkValues(of handle: Cached<Shapes>, _ checks: inout Checks) throws {
    let one: Item? = handle.one
    let maybeOne: Item? = handle.maybeOne
    checks.expect(one?.id == 1 && maybeOne?.id == 2, "one is set")
    let many: [Item] = handle.many
    let maybeMany: [Item]? = handle.maybeMany
    checks.expect(many.map(\.id) == [3, 1] && maybeMany?.map(\.id) == [4], "many are set")
    checks.expect(handle.manyMaybe.map(\.id) == [5] && handle.maybeManyMaybe?.map(\.id) == [6], "optional or not")
    checks.expect(handle.unordered.map(\.id) == [7] && handle.maybeUnordered?.map(\.id) == [8], "in order or not")
    checks.expect(handle.unorderedMaybe.map(\.id) == [9] && handle.maybeUnorderedMaybe == nil, "or not at all")
    let requiredOne: Item = try handle.require(\.one)
    let requiredMaybeOne: Item? = try handle.require(\.maybeOne)
    checks.expect(requiredOne.id == 1 && requiredMaybeOne?.id == 2, "one is there")
    let requiredMany: [Item] = try handle.require(\.many)
    let requiredMaybeMany: [Item]? = try handle.require(\.maybeMany)
    checks.expect(requiredMany.count == 2 && requiredMaybeMany?.count == 1, "many are there")
    checks.expect(try handle.require(\.unorderedMaybe).count == 1, "sets are there")
    guard let shapes = handle.value, let cache = handle.cache else { return checks.expect(false, "it is stored") }
    checks.expect(try shapes.require(\.one, in: cache).id == 1, "so to values")
    checks.expect(try shapes.require(\.maybeUnorderedMaybe, in: cache) == nil, "of every shape")
}

private func checkHandles(to handle: Cached<Shapes>, in cache: FlatCache, _ checks: inout Checks) throws {
    let one: Cached<Item>? = handle.cached(\.one)
    let many: [Cached<Item>] = handle.cached(\.many)
    let maybeMany: [Cached<Item>]? = handle.cached(\.maybeMany)
    checks.expect(one?.id == 1 && many.map(\.id) == [3, 1] && maybeMany?.map(\.id) == [4], "handles to all")
    checks.expect(handle.cached(\.maybeOne)?.id == 2 && handle.cached(\.unordered).count == 1, "of every shape")
    cache.removeAll(of: Item.self)
    checks.expect(handle.missing(\.one) == [1] && handle.missing(\.maybeOne) == [2], "one is missing")
    checks.expect(handle.missing(\.many) == [3, 1] && handle.missing(\.maybeManyMaybe) == [6], "many are missing")
    checks.expect(handle.missing(\.maybeUnordered) == [8] && handle.missing(\.unorderedMaybe) == [9], "sets are")
    do throws(FlatCache.RelationshipError) {
        _ = try handle.require(\.many)
        checks.expect(false, "nothing is there")
    } catch {
        checks.expect("\(error)".contains("'Shapes.manyIDs'"), "the error names the property")
    }
}

private func checkFetching(of handle: Cached<Shapes>, in cache: FlatCache, _ checks: inout Checks) async throws {
    let one: Item = try await handle.fetch(\.one)
    let maybeOne: Item? = try await handle.fetch(\.maybeOne, .networkOnly)
    checks.expect(one.text == "fetched" && maybeOne?.text == "fetched", "one is fetched")
    let many: [Item] = try await handle.fetch(\.many)
    let maybeMany: [Item]? = try await handle.fetch(\.maybeMany)
    checks.expect(many.map(\.id) == [3, 1] && maybeMany?.map(\.id) == [4], "many are fetched")
    try await handle.fetch(\.manyMaybe)
    try await handle.fetch(\.maybeManyMaybe)
    try await handle.fetch(\.unordered)
    try await handle.fetch(\.maybeUnordered)
    try await handle.fetch(\.unorderedMaybe)
    let nothing: [Item]? = try await handle.fetch(\.maybeUnorderedMaybe)
    checks.expect(nothing == nil && cache.count(of: Item.self) == 9, "sets are fetched")
}

private func checkConstants(in cache: FlatCache, _ checks: inout Checks) async throws {
    cache.set(
        ConstantShapes(
            id: 1,
            oneID: 1,
            maybeOneID: nil,
            manyIDs: [2, 1],
            maybeManyIDs: nil,
            manyMaybeIDs: [1, nil],
            maybeManyMaybeIDs: nil,
            unorderedIDs: [1, 2],
            maybeUnorderedIDs: [2],
            unorderedMaybeIDs: [nil],
            maybeUnorderedMaybeIDs: nil
        )
    )
    let handle = Cached(ConstantShapes.self, id: 1, in: cache)
    try handle.set(\.one, to: Item(id: 1, text: "set"))
    try handle.set(\.manyMaybe, to: [Item(id: 1, text: "set")])
    try handle.set(\.unordered, to: [Item(id: 2), Item(id: 1, text: "set")])
    checks.expect(handle.one?.text == "set", "a handle stores what a constant names")
    do throws(FlatCache.RelationshipError) {
        try handle.set(\.many, to: [Item(id: 1), Item(id: 2)])
        checks.expect(false, "a constant is not relinked")
    } catch {
        checks.expect("\(error)".contains("ConstantShapes.manyIDs"), "the error names the constant")
    }
}

private func checkGenericKeyPaths(in cache: FlatCache, _ checks: inout Checks) async throws {
    cache.set(Several<Int, String>(id: 1, itemID: 1))
    let several = Cached(Several<Int, String>.self, id: 1, in: cache)
    try several.set(\.item, to: Item(id: 2, text: "two"))
    checks.expect(several.item?.text == "two" && several.value?.itemID == 2, "owners with parameter packs")
    cache.set(Versioned(id: 1, content: "a", previousID: 2, itemIDs: [1]))
    cache.set(Versioned(id: 2, content: "b", previousID: nil, itemIDs: []))
    let version = Cached(Versioned<String>.self, id: 1, in: cache)
    checks.expect(try version.require(\.previous)?.content == "b", "generic owners")
    checks.expect(version.cached(\.previous)?.missing(\.items) == [], "and handles to them")
    checks.expect(try await version.fetch(\.items).count == 1, "and what they fetch")
    try await cache.prefetch(\.previous.items, for: [Versioned(id: 3, content: "c", previousID: 1, itemIDs: [])])
    let page = Page<String>(itemIDs: [1], firstID: 99)
    checks.expect(page.missing(\.first, in: cache) == [99] && page.cached(\.items, in: cache).count == 1, "no entities")
    let cursor = Page<String>.Cursor<Int>(itemID: 1)
    checks.expect(try cursor.require(\.item, in: cache).id == 1, "nor these")
}
