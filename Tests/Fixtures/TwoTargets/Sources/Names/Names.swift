import FlatCache

struct FetchError: FlatCache.Cachable {
    let id: Swift.String
    // relationship: Cached, name: stored
    var cachedID: Swift.String
    // relationship: Set, inverse: fetchErrorID
    var setIDs: Swift.Set<Swift.String> = []
    // relationship: Value, name: worth
    var valueID: Swift.String?
    // relationship: Update, name: change
    var updateID: Swift.String?
    // relationship: Fetch, name: load
    let fetchID: Swift.String = "f"
}
struct Cached: FlatCache.Cachable {
    let id: Swift.String
    // relationship: Actor
    let actorIDs: Swift.Set<Swift.String>
    // relationship: Sendable
    var sendableID: Swift.String?
}
struct Set: FlatCache.Cachable {
    let id: Swift.String
    // relationship: FetchError
    var fetchErrorID: Swift.String
    // relationship: Void
    var voidID: Swift.String
}
struct Value: FlatCache.Cachable {
    let id: Swift.String
    // relationship: Value, name: others
    var valueIDs: [Swift.String] = []
    // relationship: Task
    var classID: Swift.String?
}
struct Relationships: FlatCache.Cachable {
    let id: Swift.String
    // relationship: Relationships, name: links
    var linkIDs: [Swift.String]? = nil
}
struct RelationshipError: FlatCache.Cachable { let id: Swift.String }
struct RelationshipOwner: FlatCache.Cachable { let id: Swift.String }
struct Cachable: FlatCache.Cachable {
    let id: Swift.String
    // relationship: RelationshipOwner
    var relationshipOwnerID: Swift.String
    // relationship: RelationshipError
    var relationshipErrorID: Swift.String
    // relationship: FetchPolicy
    var fetchPolicyID: Swift.String
}
struct FetchPolicy: FlatCache.Cachable { let id: Swift.String }
struct Actor: FlatCache.Cachable { let id: Swift.String }
struct Sendable: FlatCache.Cachable { let id: Swift.String }
struct Void: FlatCache.Cachable { let id: Swift.String }
struct Task: FlatCache.Cachable { let id: Swift.String }
struct Optional: FlatCache.Cachable { let id: Swift.String }
struct Array: FlatCache.Cachable {
    let id: Swift.String
    // relationship: Optional
    var optionalIDs: [Swift.String]?
    // relationship: String
    var stringID: Swift.String
    // relationship: Result
    var resultIDs: [Swift.String?] = []
}
struct Result: FlatCache.Cachable { let id: Swift.String }
struct String: FlatCache.Cachable { let id: Swift.String }
struct Update: FlatCache.Cachable { let id: Swift.String }
struct Fetch: FlatCache.Cachable { let id: Swift.String }
struct Error: FlatCache.Cachable { let id: Swift.String }
struct Never: FlatCache.Cachable { let id: Swift.String }
struct Bool: FlatCache.Cachable { let id: Swift.String }
struct Int: FlatCache.Cachable { let id: Swift.String }
struct Equatable: FlatCache.Cachable { let id: Swift.String }

public func countNames() -> Swift.Int {
    let cache = FlatCache()
    cache.set(Set(id: "s", fetchErrorID: "e", voidID: "v"))
    cache.set(FetchError(id: "e", cachedID: "c", setIDs: ["s"]))
    return FlatCache.Cached(FetchError.self, id: "e", in: cache).sets.count
}
