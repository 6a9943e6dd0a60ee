import FlatCache

/// Available in the future of one platform, and deprecated on another.
@available(macOS 99, *)
@available(visionOS, deprecated: 2)
struct Future: Cachable {
    let id: Int
    // relationship: Future
    @available(tvOS 99, *)
    var futureID: Int { didSet { if oldValue == futureID { return } } }
    // relationship: Item
    @available(watchOS, unavailable) let itemID: Int
    // relationship: Item, name: former
    @available(*, deprecated, message: "use itemID, \"please\"")
    var formerID: Int?
}

@available(macOS 99, *)
enum Beyond {
    struct Horizon: Cachable {
        let id: Int
        // relationship: Future
        var futureIDs: [Int]
    }
}
