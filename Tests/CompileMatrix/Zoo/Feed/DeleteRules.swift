// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Accounts
public import FlatCache

/// An entity with a delete rule for relationships of every shape.
public struct Consignment: Cachable, Equatable {
    public let id: Int
    // relationship: Accounts.User, name: sender, delete: cascade
    public let senderID: String
    // relationship: Accounts.User, delete: nullify
    public var receiverID: Accounts.User.ID?
    // relationship: Consignment, backlink: contents, sorted: id, delete: cascade
    public internal(set) var containerID: Int?
    // relationship: Warehouse, name: `repeat`, delete: nullify
    package var depotIDs: [Int] = []
    // relationship: Warehouse, name: tried, delete: nullify
    var triedIDs: Set<Warehouse.ID>?
    // relationship: Warehouse, name: skipped, delete: nullify - of which some are unknown
    var skippedIDs: [Int?]? = nil
    // relationship: Warehouse, name: plan, delete: nullify
    var planIDs: [[Int]] = []
    // relationship: Warehouse, name: stops, delete: cascade
    var stopIDs: [String: Int]? = nil
    // relationship: Warehouse, inverse: parcelIDs, delete: nullify
    var shelfID: Int?
    // relationship: Warehouse, delete: keep
    let originID: Int?
    // cache: index, unique
    // relationship: Warehouse, name: locked, delete: cascade
    var lockedID: Int?

    public init(id: Int, senderID: String, containerID: Int? = nil) {
        self.id = id
        self.senderID = senderID
        self.containerID = containerID
        originID = nil
    }
}

package struct Warehouse: Cachable {
    package let id: Int
    // relationship: Consignment, delete: nullify
    var parcelIDs: Set<Int> = []
    #if FIRST_BRANCH
    // relationship: Warehouse, name: next, delete: nullify
    @available(*, deprecated)
    var nextID: Int?
    #else
    // relationship: Warehouse, name: next, delete: cascade
    let nextID: Int? = nil
    #endif

    package init(id: Int) { self.id = id }

    /// One with rules under conditions alone.
    struct Truck: Cachable {
        let id: Int
        #if NEVER
        // relationship: Warehouse, name: garage, delete: nullify
        var garageID: Int?
        #endif
        #if !NEVER
        // relationship: Warehouse, delete: cascade
        var depotID: Int
        #endif
    }
}

/// One whose relationship is a case.
enum Handover: Cachable {
    // relationship: Consignment, delete: cascade
    case parcel(Consignment.ID)
    case pickup(Int)

    var id: Int {
        switch self {
        case .parcel(let id), .pickup(let id): id
        }
    }
}

/// A generic entity.
struct Stacked<Element: Sendable>: Cachable {
    let id: Int
    let element: Element
    // relationship: Stacked, name: below, delete: cascade
    var belowID: Int?
    // relationship: Consignment, delete: nullify
    var parcelIDs: [Int] = []
}

package func checkDeleteRules(_ checks: inout Checks) {
    let cache = FlatCache()
    checks.expect(Consignment.deleteRules.count == 10, "a rule for each property, except that which keeps")
    checks.expect(Handover.deleteRules.count == 1, "of an enum")
    checks.expect(Stacked<String>.deleteRules.count == 2, "of a generic type")
    cache.set(contentsOf: [User(id: "a"), User(id: "b")])
    var parcel = Consignment(id: 2, senderID: "b", containerID: 1)
    (parcel.receiverID, parcel.depotIDs, parcel.planIDs) = ("a", [1, 2], [[1], [2, 1]])
    (parcel.skippedIDs, parcel.triedIDs, parcel.shelfID) = ([nil, 1], [1], 1)
    cache.set(contentsOf: [Consignment(id: 1, senderID: "b"), parcel, Consignment(id: 3, senderID: "a")])
    cache.set(contentsOf: [Warehouse(id: 1), Warehouse(id: 2)])
    cache.set(Warehouse.Truck(id: 1, depotID: 1))
    cache.set(Handover.parcel(3))
    cache.set(contentsOf: [
        Stacked(id: 1, element: "a", parcelIDs: [2, 3]), Stacked(id: 2, element: "b", belowID: 1),
    ])
    cache.remove(User.self, id: "a")
    checks.expect(cache.get(Consignment.self, id: 3) == nil, "an owner is removed with an entity of another module")
    checks.expect(cache.get(Consignment.self, id: 2)?.receiverID == nil, "or loses its identifier")
    checks.expect(cache.get(Handover.self, id: 3) == nil, "a case is removed")
    checks.expect(cache.get(Stacked<String>.self, id: 1)?.parcelIDs == [2], "a generic type loses it")
    cache.remove(Warehouse.self, id: 1)
    let left = cache.get(Consignment.self, id: 2)
    checks.expect(left?.depotIDs == [2] && left?.planIDs == [[], [2]] && left?.shelfID == nil, "collections lose it")
    checks.expect(left?.skippedIDs?.contains(1) == false && left?.triedIDs == [], "optional ones, too")
    checks.expect(cache.get(Warehouse.Truck.self, id: 1) == nil, "rules under conditions are applied")
    cache.remove(Consignment.self, id: 1)
    checks.expect(cache.get(Consignment.self, id: 2) == nil, "entities are removed through backlinks")
    cache.remove(Stacked<String>.self, id: 1)
    checks.expect(cache.get(Stacked<String>.self, id: 2) == nil, "also of a generic type")
}
