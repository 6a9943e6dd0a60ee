package import Accounts
import FlatCache

/// An owner with members that are called like those of the library, beside the generated ones.
struct Helper: Cachable {
    let id: Int
    // relationship: Item
    var itemID: Int
    // relationship: Item, name: parts
    var partIDs: [Int] = []

    let related = "related"
    var missing: Bool { partIDs.isEmpty }
    static var cached: Int { 1 }
    static func relationship() -> Int { 2 }

    func cached(_ item: Item) -> String { "cached" }
    func fetch(_ policy: FlatCache.FetchPolicy = .cacheFirst) -> String { "fetch" }
    func require(_ text: String) -> String { text }
    mutating func set(_ item: Item) { itemID = item.id }
}

/// Handles with members that are called like those of the library.
nonisolated extension Cached where Value == Helper {
    var related: String { "related" }
    func cached(_ item: Item) -> String { "cached" }
    func fetch(_ item: Item) -> String { "fetch" }
    func missing() -> Bool { true }
    func require(_ text: String) -> String { text }
    func set(_ item: Item) -> String { "set" }
}

package func checkOwnMembers(_ checks: inout Checks) throws {
    let cache = FlatCache.current
    let item = Item(id: 1, text: "one")
    cache.set(item)
    var helper = Helper(id: 1, itemID: 0)
    helper.set(item)
    helper.setParts([item])
    checks.expect(helper.itemID == 1 && helper.parts == [item] && !helper.missing, "own members beside generated ones")
    checks.expect(helper.missing(\.parts) == [] && helper.cached(\.item).id == 1, "and beside those of the library")
    checks.expect(try helper.require(\.item) == item && helper.require("text") == "text", "which have the same names")
    checks.expect(helper.cached(item) == "cached" && helper.fetch() == "fetch", "stay what they are")
    checks.expect(Helper.cached + Helper.relationship() == 3 && helper.related == "related", "whatever they are")
    cache.set(helper)
    let handle = Cached(Helper.self, id: 1)
    try handle.set(\.item, to: item)
    checks.expect(handle.item == item && handle.related == "related", "so on handles")
    checks.expect(try handle.require(\.parts) == [item] && handle.require("text") == "text", "with each of the names")
    checks.expect(handle.missing(\.parts) == [] && handle.missing(), "as properties and functions")
    checks.expect(handle.cached(\.item)?.id == 1 && handle.cached(item) == "cached", "and overloads")
    checks.expect(handle.fetch(item) == "fetch" && handle.set(item) == "set", "of the target")
}
