// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import Accounts
import FlatCache

/// Decodable entities, whose tables of keys are generated.
struct Parcel: Cachable, Codable {
    let id: Int
    var label: String?
    private(set) var weight: Double
    let first, second: Int?
    private var secret: [Duration: Swift.Set<Route>]?
    @Bounded var level: Int
    @Bounded private(set) var floor: Int
    let constant = 1
    lazy var lazy = 1
    var `class`: Int?
    var `init`: Int?
    @available(*, deprecated, message: "use label")
    var title: String?
    // relationship: Parcel, name: Route
    var Route_id: Int?
    // relationship: Item
    var itemID: Int
    // relationship: Accounts.User
    let senderID: String
    // relationship: Stamp
    var stampIDs: [Int]
    #if FIRST_BRANCH
    // relationship: Route
    var wayID: Int
    #else
    // relationship: Route
    private(set) var wayIDs: [Int?]?
    #endif

    enum CodingKeys: String, CodingKey {
        case id, label, weight, first, second, secret, level, floor
        case `class`, `init`, title = "the \"title\"\\", Route_id, itemID = "item_id", senderID, stampIDs =
            #"stamp_ids"#
        #if FIRST_BRANCH
        case wayID = "way_id"
        #else
        case wayIDs
        #endif
    }
}

@propertyWrapper
nonisolated struct Bounded: Codable, Hashable, Sendable {
    var wrappedValue: Int
}

nonisolated struct Route: Cachable, Codable, Hashable {
    let id: Int
    #if FIRST_BRANCH
    private enum CodingKeys: String, CodingKey { case id = "ID" }
    #endif
}

/// What a property, an accessor or a nested type is called like a type of the table.
nonisolated struct Stamp: Cachable, Codable {
    let id: Int
    // relationship: Item, name: Item
    var itemID: Int?
    // relationship: Stamp, name: Stamp
    let previousID: Int?
    private var Int: Swift.Int?
    private var price: Price
    private var color: Color

    nonisolated struct Price: Codable { var cents: Swift.Int }
    nonisolated enum Color: String, Codable { case red }
    var Array: String { "" }
}

/// Entities that are decoded by their own code, from types that can't be.
struct Crate: Cachable, Decodable {
    let id: Int
    // relationship: Mark
    let markID: Mark.ID
    // relationship: Mark
    var markIDs: [Mark.ID]
    // relationship: Mark
    @FlatCache.Omittable var otherMarkID: Mark.ID?
    // relationship: Mark
    @Opaque var moreMarkIDs: [Mark.ID]
    @Omittable private(set) var note: Mark?
    let handler: @Sendable () -> Void
    private let secret: @Sendable () -> Void
    private var shape: any Sendable = 1

    init(from decoder: any Decoder) throws {
        id = try decoder.singleValueContainer().decode(Int.self)
        markID = Tagged(value: 1)
        markIDs = []
        moreMarkIDs = []
        handler = {}
        secret = {}
    }
}

@propertyWrapper
nonisolated struct Opaque: Sendable {
    var wrappedValue: [Mark.ID]
}

struct Mark: Cachable {
    let id: Tagged<Mark>
}

struct Bundle2<Content: Codable & Sendable>: Cachable, Codable {
    let id: Int
    var content: Content
    private var others: [Content]?
    // relationship: Bundle2, name: next
    var nextID: Int?

    struct Inner: Cachable, Codable {
        let id: String
        var content: [Content]
    }
}

enum Depot {
    private struct Hidden: Cachable, Codable { let id: Int }

    struct Task: Cachable, Codable {
        let id: Int
        private var kind: Kind
        private var others: [Office.Task.ID]?
        // relationship: Task
        var taskIDs: Swift.Set<Int>

        nonisolated struct Kind: Codable { var text: String }
    }

    struct Decodable: Cachable, Swift.Decodable {
        let id: String
        var String: Swift.String?
        // relationship: Array
        var arrayID: Int?
    }

    struct Array: Cachable, Codable {
        let id: Int
        var elements: [Int]
    }
}

nonisolated protocol Shipped: Cachable, Codable {}

#if FIRST_BRANCH
struct Shipment: Shipped {
    let id: Int
    var text: String?
}
#else
struct Shipment: Cachable {
    let id: Int
    var text: String?
}
nonisolated extension Shipment: Codable {
    private enum CodingKeys: CodingKey { case id }
}
#endif

@available(macOS 99, *)
struct LaterParcel: Cachable {
    let id: Int
    var duration: Duration?
}

@available(macOS 99, *)
nonisolated extension LaterParcel: Codable {}

/// One with a table of its own.
struct OwnTable: Cachable, Codable {
    let id: Int
}

nonisolated extension OwnTable: FlatCache.PayloadDecodable {
    static var payloadKeys: [FlatCache.PayloadKey<OwnTable>] { [.init("id", \.id)] }
}

/// One that isn't an entity, and belongs to the main actor if that is the default isolation.
struct Delivery: Decodable {
    struct Stop: Decodable {
        // relationship: OwnTable
        let parcelID: OwnTable.ID?
    }

    let stops: [Stop]
    // relationship: OwnTable
    private(set) var parcelIDs: [OwnTable.ID]
}

/// One whose properties have wrappers of all kinds, in and around other types.
struct Wardrobe: Cachable, Codable {
    let number: Int
    // relationship: Item
    @Omittable var itemID: Int?
    // relationship: Route
    @Bounded var routeID: Int
    // relationship: Route
    @Boxed<[Int]> var routeIDs: [Int]
    // relationship: Item
    @Boxed var itemIDs: [Int]
    @Drawer<Price>.Inner var price: Price
    @Drawer<Price>.Plain var number2: Int
    @Depot.Stamped var stamp: Int
    @Short private(set) var short: Int
    @Boxed<Boxed<Int?>>(wrappedValue: Boxed(wrappedValue: nil)) var nested: Boxed<Int?>
    @Drawer<Price>.Inner @Boxed var several: Price
    @Omittable private(set) var Int: Swift.Int?
    @available(*, deprecated) @Boxed<Swift.Int> var old: Swift.Int

    typealias Short = Bounded
    var id: Swift.Int { number }

    nonisolated struct Price: Codable, Hashable { var cents: Swift.Int }
}

@propertyWrapper
nonisolated struct Boxed<Value: Codable & Sendable>: Codable, Sendable {
    var wrappedValue: Value
}

nonisolated enum Drawer<Content: Codable & Sendable> {
    @propertyWrapper
    nonisolated struct Inner<Value: Codable & Sendable>: Codable, Sendable {
        var wrappedValue: Value
    }

    @propertyWrapper
    nonisolated struct Plain: Codable, Sendable {
        var wrappedValue: Int
    }
}

nonisolated extension Depot {
    @propertyWrapper
    nonisolated struct Stamped: Codable, Hashable, Sendable {
        var wrappedValue: Int
    }
}

/// Ones whose identifiers are computed.
struct Shelf: Cachable, Codable {
    // relationship: Item
    let itemID: Int
    var id: Int { itemID }
}

struct Hook: Cachable, Codable {
    private let number: Int
}

nonisolated extension Hook {
    var id: Int { get { return self.number } }
}

/// An entity with structures, whose members have types that can belong to the main actor.
struct Meter: Cachable, Codable {
    let id: Int
    var dial: Dial?

    struct Dial: Codable {
        var scale: MeterScale
        private var unit: MeterUnit
        let mark: Mark?

        struct Mark: Codable { var units: [MeterUnit: MeterScale] }
    }
}

struct MeterScale: Codable { var length: Int }

enum MeterUnit: String, Codable { case metre }

package func checkDecodables(_ checks: inout Checks) {
    func keys<Entity: FlatCache.PayloadDecodable>(of _: Entity.Type) -> Int { Entity.payloadKeys.count }
    checks.expect(keys(of: Parcel.self) == 16, "all properties that are decoded have keys")
    checks.expect(keys(of: Stamp.self) == 6 && keys(of: Crate.self) == 9, "of every type")
    checks.expect(keys(of: Bundle2<Int>.self) == 4 && keys(of: Bundle2<[Int]>.Inner.self) == 2, "also generic ones")
    checks.expect(keys(of: Depot.Decodable.self) == 3 && keys(of: Depot.Array.self) == 2, "and namesakes")
    #if FIRST_BRANCH
    checks.expect(keys(of: Shipment.self) == 2, "in the first branch")
    #else
    checks.expect(keys(of: Shipment.self) == 2, "in the other branch, where one has no coding key")
    #endif
    checks.expect(keys(of: Profile.self) == 4 && Profile.payloadKeys.count == 4, "in other modules")
    checks.expect(keys(of: Membership.self) == 3, "in the package")
    checks.expect(keys(of: OwnTable.self) == 1 && Route.payloadKeys.count == 1, "by hand and without relationships")
    checks.expect(keys(of: Wardrobe.self) == 13, "with wrappers")
    checks.expect(keys(of: Shelf.self) == 1 && keys(of: Hook.self) == 1, "and with computed identifiers")
    checks.expect(Meter.Dial.payloadKeys.count == 3 && Meter.Dial.Mark.payloadKeys.count == 1, "and of structures")
    checks.expect(Delivery.payloadKeys.count == 1 && Delivery.Stop.payloadKeys.count == 1, "and of other structures")
}
