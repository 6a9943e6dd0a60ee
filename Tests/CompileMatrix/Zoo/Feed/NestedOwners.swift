// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Accounts
public import FlatCache

/// A value with a relationship, sets of which can be read from everywhere.
public nonisolated struct Ballot: Hashable, Sendable {
    // relationship: Accounts.User, name: voters
    public var voterIDs: [Accounts.User.ID] = []

    public init() {}
}

/// An entity without an annotation that holds values in all places.
public struct Assembly: Cachable {
    public let id: Int
    public var ballot: Ballot?
    package var `repeat`: [Ballot] = []
    var named: [String: Ballot]?
    var chosen: Set<Ballot> = []
    var rows: [[Ballot?]]? = nil
    var doubly: [Ballot]?? = nil
    var started = Ballot()
    let first, last: Ballot?
    private(set) var observed: Ballot? { didSet {} }
    @Clamped var clamped: Ballot?
    @Clamped private(set) var several: [Ballot] = []
    private var hidden: Ballot?
    lazy var late: Ballot = Ballot()
    #if FIRST_BRANCH
    @available(*, deprecated)
    var old: Ballot?
    #else
    var sheet: Sheet<Int>?
    #endif
    package var motion: Motion?
    var chamber: Chamber?
    var deputy: Deputy?

    public init(id: Int) { (self.id, first, last) = (id, nil, nil) }

    /// A value between an entity and a value with a relationship.
    struct Chamber {
        var ballots: [Int: [Ballot]] = [:]
        var inner: [Chamber] = []
        @Clamped var clamped: Ballot?
    }
}

/// A generic value.
struct Sheet<Element: Sendable> {
    let element: Element
    // relationship: Accounts.User, name: signer
    var signerID: String
    var others: [Sheet] = []
}

/// A value that contains others of its type, in cases.
package indirect enum Motion: Hashable, Sendable {
    // relationship: Accounts.User, name: author
    case written(Accounts.User.ID)
    #if FIRST_BRANCH
    case amended(Motion, by: [Motion])
    #else
    case amended([Motion]?)
    #endif
    case voted(ballot: Ballot?)
    @available(*, unavailable)
    case dropped(Ballot)
    case none
}

/// An entity with a relationship that others hold by value, and that can't be sent without its isolation.
struct Deputy: Cachable {
    let id: Int
    // relationship: Accounts.User, name: user
    var userID: String
    var deputies: [Deputy] = []
    @available(*, deprecated)
    var ballot: Ballot?
}

/// A value of the main actor.
@MainActor
struct Podium {
    // relationship: Accounts.User, name: speaker
    var speakerID: String
    var ballot: Ballot?
}

/// One that isn't generated for, because it is no part of an entity.
struct Gallery {
    let assembly: Assembly
    let reload: () -> Void
}

/// An entity with a list of its own.
struct Minutes: Cachable {
    let id: Int
    // relationship: Accounts.User, name: keeper
    var keeperID: String
    private var ballot = Ballot()

    nonisolated static var allRelationships: [FlatCache.AnyRelationship<Minutes>] {
        [.init(\.keeper), .init(within: { $0.ballot })]
    }
}

/// The number of the relationships of a type, whose list may be deprecated.
private func count<Owner: RelationshipOwner>(_ type: Owner.Type) -> Int { Owner.allRelationships.count }

package func checkNestedOwners(_ checks: inout Checks) {
    checks.expect(count(Assembly.self) == 16, "all values of an entity")
    checks.expect(count(Assembly.Chamber.self) == 3, "and of a value in it")
    checks.expect(count(Sheet<Int>.self) == 2, "of a generic type")
    checks.expect(count(Motion.self) >= 3, "of cases")
    checks.expect(count(Minutes.self) == 2, "of a type with a list of its own")
    checks.expect(count(Ballot.self) == 1 && count(Podium.self) == 2, "of values")
    let gallery: Any = Gallery.self
    checks.expect(!(gallery is any RelationshipOwner.Type), "nothing else")
}
