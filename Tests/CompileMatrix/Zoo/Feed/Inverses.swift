// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

package import Accounts
public import FlatCache

/// An entity with relationships of every shape, each with an inverse of another shape.
public struct Actor: Cachable, Equatable {
    public let id: Int
    // relationship: Film, inverse: leadID
    public var filmIDs: [Film.ID] = []
    // relationship: Film
    public var debutID: Int?
    // relationship: Film, name: seenFilms
    package var seenIDs: Set<Int>?
    // relationship: Film, name: `repeat`, inverse: extraIDs
    var extraIDs: [Int?]? = nil
    // relationship: Film, name: productions, inverse: directorID
    public internal(set) var directedIDs: Set<Int> = []
    // relationship: Actor, inverse: spouseID
    var spouseID: Int?
    // relationship: Actor, inverse: friendIDs
    var friendIDs: Set<Int> = []
    // relationship: Actor
    var mentorID: Int?
    // relationship: Actor, inverse: mentorID
    var pupilIDs: [Int] = []
    // relationship: Studio.Lot, name: lots, inverse: actorIDs
    var lotIDs: [Int] = []
    // relationship: Part, inverse: actor
    var partID: Int?

    public init(id: Int) { self.id = id }
}

/// The other side.
public struct Film: Cachable, Equatable {
    public let id: Int
    // relationship: Actor, inverse: filmIDs
    public var leadID: Int
    // relationship: Actor, name: newcomers, inverse: debutID
    public var newcomerIDs: Set<Int> = []
    // relationship: Actor, inverse: seenIDs
    var spectatorIDs: [Actor.ID]? = nil
    // relationship: Actor
    public private(set) var extraIDs: Set<Int> = []
    // relationship: Actor
    let directorID: Int?

    public init(id: Int, leadID: Int) {
        self.id = id
        self.leadID = leadID
        directorID = nil
    }
}

package enum Studio {
    package struct Lot: Cachable {
        package let id: Int
        // relationship: Actor
        var actorIDs: [[Int]] = []
        // relationship: Lot, name: neighbours, inverse: neighbourIDs
        var neighbourIDs: [String: Int]?
        #if FIRST_BRANCH
        // relationship: Lot, name: next
        var nextID: Int?
        // relationship: Lot, name: former, inverse: nextID
        @available(*, deprecated)
        var formerID: Int?
        #else
        // relationship: Lot, name: next
        var nextID: Int
        // relationship: Lot, name: former, inverse: nextID
        var formerID: Int?
        #endif
        #if NEVER
        // relationship: Hangar
        var hangarID: Int
        #endif
    }

    #if NEVER
    struct Hangar: Cachable {
        let id: Int
        // relationship: Lot, inverse: hangarID
        var lotIDs: [Int]
    }
    #endif
}

/// One whose relationship is a case.
enum Part: Cachable {
    // relationship: Actor, name: player
    case actor(Actor.ID)
    case none(Int)

    var id: Int {
        switch self {
        case .actor(let id), .none(let id): id
        }
    }
}

/// A generic entity, whose relationships lead to entities with the same parameters.
struct Chained<Element: Sendable>: Cachable {
    let id: Int
    let element: Element
    // relationship: Chained, name: next, inverse: previousID
    var nextID: Int?
    // relationship: Chained, name: previous
    var previousID: Int?
}

package func checkInverses(_ checks: inout Checks) throws {
    let cache = FlatCache()
    cache.set(contentsOf: (1...3).map { Actor(id: $0) })
    cache.set(contentsOf: [Film(id: 1, leadID: 1), Film(id: 2, leadID: 2)])
    checks.expect(Actor.inverses.count == 11 && Film.inverses.count == 5, "both sides have them")
    checks.expect(Part.inverses.count == 1 && Chained<String>.inverses.count == 2, "enums and generic types, too")
    let actor = Cached(Actor.self, id: 1, in: cache)
    try actor.set(\.films, to: [Film(id: 1, leadID: 1), Film(id: 2, leadID: 2)])
    checks.expect(cache.get(Film.self, id: 2)?.leadID == 1, "a required side is set")
    try actor.set(\.debut, to: actor.films[0])
    try actor.set(\.seenFilms, to: actor.films)
    checks.expect(cache.inconsistencies().isEmpty && actor.films.count == 2, "all sides are kept")
    try actor.set(\.spouse, to: actor.value)
    try cache.set(Actor.self, id: 2, \.friends, to: [Actor(id: 1)])
    try cache.set(Actor.self, id: 3, \.pupils, to: [Actor(id: 3)])
    checks.expect(cache.get(Actor.self, id: 3)?.mentorID == 3, "a type leads back to itself")
    checks.expect(cache.get(Actor.self, id: 1)?.friendIDs == [2], "by one property, too")
    cache.set(Chained(id: 1, element: "a"))
    try cache.set(Chained<String>.self, id: 1, \.next, to: Chained(id: 2, element: "b"))
    checks.expect(Cached(Chained<String>.self, id: 2, in: cache).previous?.id == 1, "generic ones keep both sides")
}
