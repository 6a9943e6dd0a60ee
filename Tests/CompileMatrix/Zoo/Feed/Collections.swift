// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Accounts
public import FlatCache

/// Identifiers in rows and in dictionaries, of every access level.
public struct Library: Cachable, Codable {
    public let id: Int
    // relationship: Accounts.User
    public var readerIDs: [[Accounts.User.ID]]
    // relationship: Item, name: shelves
    var shelfIDs: [Swift.Array<Int>]?
    // relationship: Item, name: corners
    let cornerIDs: [[Int]]
    // relationship: Item, name: maybeCorners
    let maybeCornerIDs: Optional<[[Int]]>
    // relationship: Accounts.User
    public var ownerIDs: [Region: String]
    // relationship: Accounts.User, name: curators
    package private(set) var curatorIDs: [Section: Accounts.User.ID]?
    // relationship: Item
    var itemIDs: [Library.Section: Int]
    // relationship: Item, name: labels
    let labelIDs: Dictionary<Swift.String, Int>
    // relationship: Item, name: maybeLabels
    @available(*, deprecated) let maybeLabelIDs: [String: Int]?

    public enum Section: String, Codable, Sendable {
        case front, back
    }
}

/// A table with a generic key, which is named like a type of the module.
struct Register<Item: Hashable & Sendable>: Cachable {
    let id: Int
    // relationship: Label
    var labelIDs: [Item: Int]
    // relationship: Register, name: others
    let otherIDs: [Int: Int]
}

/// Identifiers of several types.
public nonisolated enum Keeper: Hashable, Codable, Sendable {
    // relationship: Accounts.User
    case user(Accounts.User.ID)
    // relationship: Item, name: things
    case items([Int])
    case unordered(Set<Int>)  // relationship: Item, name: unorderedItems
    // relationship: Item
    case maybeItems([Int?])
    // relationship: Item
    case rows([[Int]])
    // relationship: Accounts.User
    case `default`([Library.Section: String])
    // relationship: Item
    @available(*, deprecated) case old(Int)
    #if FIRST_BRANCH
    // relationship: Item
    case first(Int)
    #else
    // relationship: Item, name: first
    case second(Int)
    #endif
    case free(String, in: Int)
    case none
}

/// An enum with one case, which belongs to an actor.
@MainActor
enum Only {
    // relationship: Item
    case itemID(Int)
}

/// A recursive enum, which is generic.
indirect enum Tree<Content: Sendable> {
    // relationship: Item
    case leaf(Int)
    case node(Tree, Tree, Content)
}

private func makeLibrary(_ ids: [[Int]]) -> Library {
    Library(
        id: 1,
        readerIDs: [["u"], ["u", "v"]],
        cornerIDs: ids,
        maybeCornerIDs: nil,
        ownerIDs: [:],
        itemIDs: [.front: 1, .back: 9],
        labelIDs: ["a": 2],
        maybeLabelIDs: nil
    )
}

extension Library {
    fileprivate init(
        id: Int,
        readerIDs: [[String]],
        cornerIDs: [[Int]],
        maybeCornerIDs: [[Int]]?,
        ownerIDs: [Region: String],
        itemIDs: [Section: Int],
        labelIDs: [String: Int],
        maybeLabelIDs: [String: Int]?
    ) {
        self.init(
            id: id,
            readerIDs: readerIDs,
            shelfIDs: nil,
            cornerIDs: cornerIDs,
            maybeCornerIDs: maybeCornerIDs,
            ownerIDs: ownerIDs,
            curatorIDs: nil,
            itemIDs: itemIDs,
            labelIDs: labelIDs,
            maybeLabelIDs: maybeLabelIDs
        )
    }
}

package func checkCollections(_ checks: inout Checks) async throws {
    let cache = FlatCache()
    let (one, two) = (Item(id: 1), Item(id: 2))
    cache.set(contentsOf: [one, two])
    cache.set(User(id: "u"))
    var library = makeLibrary([[2, 1], [2]])
    checks.expect(library.corners(in: cache) == [two, one, two], "rows are flat")
    checks.expect(library.readers(in: cache).map(\.id) == ["u", "u"], "rows of another module")
    checks.expect(library.items(in: cache) == [.front: one], "dictionaries keep their keys")
    checks.expect(library.missing(\.items, in: cache) == [.back: 9], "and say what is missing")
    checks.expect(try library.require(\.labels, in: cache) == ["a": two], "and are required")
    checks.expect(library.shelves(in: cache) == nil && library.maybeCorners(in: cache) == nil, "none give none")
    library.setShelves([[two], [one]], in: cache)
    library.setReaders([[User(id: "w")]], in: cache)
    try library.setCorners([[two, one], [two]], in: cache)
    library.setItems([.back: two], in: cache)
    let key = Region(code: 1)
    library.setOwners([key: User(id: "o")], in: cache)
    checks.expect(library.shelfIDs == [[2], [1]] && library.readerIDs == [["w"]], "rows are set")
    checks.expect(library.itemIDs == [.back: 2] && library.ownerIDs == [key: "o"], "dictionaries are set")
    cache.set(library)
    let handle = Cached(Library.self, id: 1, in: cache)
    try handle.set(\.items, to: [.front: one])
    try handle.set(\.shelves, to: nil)
    checks.expect(handle.items == [.front: one] && handle.shelves == nil, "handles set them")
    checks.expect(handle.cached(\.corners).map(\.id) == [2, 1, 2] && handle.curators == nil, "handles read them")
    let register = Register<String>(id: 1, labelIDs: ["x": 3], otherIDs: [:])
    checks.expect(
        register.labels(in: cache).isEmpty && register.missing(\.labels, in: cache) == ["x": 3],
        "generic keys"
    )

    var holder = Keeper.user("u")
    checks.expect(holder.user(in: cache)?.id == "u" && holder.things(in: cache) == nil, "cases are read")
    holder.setThings([two, one], in: cache)
    checks.expect(holder == .items([2, 1]) && holder.user(in: cache) == nil, "cases are set")
    holder.setUnorderedItems([one], in: cache)
    checks.expect(holder == .unordered([1]) && holder.unorderedItems(in: cache) == [one], "cases with sets")
    holder.setMaybeItems([two], in: cache)
    checks.expect(holder == .maybeItems([2]) && holder.maybeItems(in: cache) == [two], "cases with optional ids")
    holder.setRows([[one], [two]], in: cache)
    checks.expect(holder == .rows([[1], [2]]) && holder.rows(in: cache) == [one, two], "cases with rows")
    holder.setDefault([.back: User(id: "d")], in: cache)
    checks.expect(holder.default(in: cache)?[.back]?.id == "d", "cases with dictionaries")
    holder.setFirst(one, in: cache)
    checks.expect(holder.first(in: cache) == one, "cases in branches")
    cache.setFetcher(of: Item.self) { ids in ids.map { Item(id: $0, text: "fetched") } }
    cache.setFetcher(of: User.self) { ids in ids.map { User(id: $0, name: "fetched") } }
    try await cache.prefetch(\.user, \.rows, for: [.user("x"), .rows([[7]]), Keeper.none])
    checks.expect(Keeper.user("x").user(in: cache)?.name == "fetched", "cases are fetched together")
    checks.expect(try await Keeper.none.fetchUser(in: cache) == nil, "and none for another case")
    checks.expect(try await library.fetchCorners(in: cache).count == 3, "rows are fetched")
    checks.expect(try await library.fetchOwners(in: cache)[key]?.id == "o", "dictionaries are fetched")
    let leaf = Tree<Int>.node(.leaf(1), .leaf(2), 3)
    checks.expect(leaf.leaf(in: cache) == nil && Tree<Int>.leaf(1).leaf(in: cache) == one, "recursive enums")
    let isRight = await MainActor.run {
        var only = Only.itemID(1)
        only.setItem(two, in: cache)
        return only.item(in: cache) == two
    }
    checks.expect(isRight, "enums of an actor")
}
