import FlatCache

/// Every shape that identifiers can have, as variables and as constants.
struct Shapes: Cachable {
    let id: Int
    // relationship: Item
    var oneID: Int
    // relationship: Item
    var maybeOneID: Int?
    // relationship: Item, name: many
    var manyIDs: [Int]
    // relationship: Item, name: maybeMany
    var maybeManyIDs: [Int]?
    // relationship: Item, name: manyMaybe
    var manyMaybeIDs: [Int?]
    // relationship: Item, name: maybeManyMaybe
    var maybeManyMaybeIDs: Optional<Array<Optional<Int>>>
    // relationship: Item, name: unordered
    var unorderedIDs: Set<Int>
    // relationship: Item, name: maybeUnordered
    var maybeUnorderedIDs: Set<Int>?
    // relationship: Item, name: unorderedMaybe
    var unorderedMaybeIDs: Swift.Set<Int?>
    // relationship: Item, name: maybeUnorderedMaybe
    var maybeUnorderedMaybeIDs: Set<Int?>?
}

struct ConstantShapes: Cachable {
    let id: Int
    // relationship: Item
    let oneID: Int
    // relationship: Item
    let maybeOneID: Int?
    // relationship: Item, name: many
    let manyIDs: [Int]
    // relationship: Item, name: maybeMany
    let maybeManyIDs: [Int]?
    // relationship: Item, name: manyMaybe
    let manyMaybeIDs: Array<Int?>
    // relationship: Item, name: maybeManyMaybe
    let maybeManyMaybeIDs: [Swift.Optional<Int>]?
    // relationship: Item, name: unordered
    let unorderedIDs: Set<Int>
    // relationship: Item, name: maybeUnordered
    let maybeUnorderedIDs: Set<Int>?
    // relationship: Item, name: unorderedMaybe
    let unorderedMaybeIDs: Set<Int?>
    // relationship: Item, name: maybeUnorderedMaybe
    let maybeUnorderedMaybeIDs: Set<Int?>?
}

struct Item: Cachable, Equatable {
    let id: Int
    var text = ""
}
