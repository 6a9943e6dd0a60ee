package import Accounts
import FlatCache

/// One that can't be copied, and so has no descriptions.
struct Token: ~Copyable {
    let note: String
    // relationship: Item
    var itemID: Int
    // relationship: Item, name: spares
    var spareIDs: [Int] = []
    // relationship: Item
    let constantID: Int?
}

/// One that belongs to an actor.
@MainActor
struct Panel {
    // relationship: Item
    var itemID: Int
    // relationship: Item
    var shownItemIDs: Set<Int>?
    // relationship: Item
    let constantID: Int?
}

/// One with properties that are stored by others.
struct Wrapping: Cachable {
    let id: Int
    // relationship: Item
    @Clamped var itemID: Int
    // relationship: Item, name: others
    @Clamped private(set) var otherIDs: [Int]?
}

@propertyWrapper
nonisolated struct Clamped<Value: Sendable>: Sendable {
    var wrappedValue: Value
}

package func checkOwners(_ checks: inout Checks) async throws {
    let cache = FlatCache()
    let item = Item(id: 1, text: "one")
    var token = Token(note: "", itemID: 0, constantID: 1)
    token.setItem(item, in: cache)
    token.setSpares([item], in: cache)
    try token.setConstant(item, in: cache)
    checks.expect(token.item(in: cache) == item && token.spares(in: cache) == [item], "what can't be copied is read")
    checks.expect(try await token.fetchConstant(in: cache) == item, "and fetched")

    cache.set(Wrapping(id: 1, itemID: 2, otherIDs: [1]))
    let wrapping = Cached(Wrapping.self, id: 1, in: cache)
    try wrapping.set(\.item, to: item)
    checks.expect(wrapping.item == item && wrapping.others == [item], "what is wrapped is set")

    let isRight = try await MainActor.run {
        var panel = Panel(itemID: 1, shownItemIDs: nil, constantID: 2)
        panel.setShownItems([item], in: cache)
        let one = try panel.require(\.item, in: cache)
        return one == item && panel.shownItems(in: cache) == [item] && panel.missing(\.constant, in: cache) == [2]
    }
    checks.expect(isRight, "what belongs to an actor is read")
}
