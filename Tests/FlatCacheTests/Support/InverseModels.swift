import FlatCache

/// An entity that a test can create by its number.
protocol NumberedEntity: Cachable, RelationshipOwner, Equatable where ID == Int {
    init(id: Int)
}

/// A team with an inverse of each relationship of a player.
struct Team: NumberedEntity {
    let id: Int
    var playerIDs: [Int] = []
    var captainID: Int?
    var fanIDs: [Int]?
    var coachIDs: Set<Int> = []

    init(id: Int) { self.id = id }

    struct Relationships: Sendable {
        var players: _ToMany<Player> { .init("Team.playerIDs", { $0.playerIDs }, set: { $0.playerIDs = $1 }) }
        var captain: _ToOptional<Player> { .init("Team.captainID", { $0.captainID }, set: { $0.captainID = $1 }) }
        var fans: _ToOptionalMany<Player> { .init("Team.fanIDs", { $0.fanIDs }, set: { $0.fanIDs = $1 }) }
        var coaches: _ToMany<Player> { .init("Team.coachIDs", { $0.coachIDs }, set: { $0.coachIDs = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var inverses: _Inverses {
        [
            .init(\.players, \.team), .init(\.captain, \.captaincy), .init(\.fans, \.followed),
            .init(\.coaches, \.trained),
        ]
    }
}

/// A player with relationships of all kinds that can be set and hold nothing.
struct Player: NumberedEntity {
    let id: Int
    var teamID: Int?
    var captaincyID: Int?
    var followedIDs: Set<Int> = []
    var trainedIDs: [Int?] = []
    var mentorID: Int?
    var menteeIDs: Set<Int>?
    var partnerID: Int?
    var friendIDs: [Int] = []

    init(id: Int) { self.id = id }

    struct Relationships: Sendable {
        var team: _ToOptional<Team> { .init("Player.teamID", { $0.teamID }, set: { $0.teamID = $1 }) }
        var captaincy: _ToOptional<Team> {
            .init("Player.captaincyID", { $0.captaincyID }, set: { $0.captaincyID = $1 })
        }
        var followed: _ToMany<Team> { .init("Player.followedIDs", { $0.followedIDs }, set: { $0.followedIDs = $1 }) }
        var trained: _ToMany<Team> { .init("Player.trainedIDs", { $0.trainedIDs }, set: { $0.trainedIDs = $1 }) }
        var mentor: _ToOptional<Player> { .init("Player.mentorID", { $0.mentorID }, set: { $0.mentorID = $1 }) }
        var mentees: _ToOptionalMany<Player> {
            .init("Player.menteeIDs", { $0.menteeIDs }, set: { $0.menteeIDs = $1 })
        }
        var partner: _ToOptional<Player> { .init("Player.partnerID", { $0.partnerID }, set: { $0.partnerID = $1 }) }
        var friends: _ToMany<Player> { .init("Player.friendIDs", { $0.friendIDs }, set: { $0.friendIDs = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var inverses: _Inverses {
        [
            .init(\.team, \.players), .init(\.captaincy, \.captain), .init(\.followed, \.fans),
            .init(\.trained, \.coaches), .init(\.mentor, \.mentees), .init(\.mentees, \.mentor),
            .init(\.partner, \.partner), .init(\.friends, \.friends),
        ]
    }
}

/// A venue whose properties can hold identifiers only in places that it chooses.
struct Venue: NumberedEntity {
    let id: Int
    var rowIDs: [[Int]] = []
    var bestIDs: [String: Int]?
    var seasonIDs: [Int] = []

    init(id: Int) { self.id = id }

    struct Relationships: Sendable {
        var rows: _ToNested<Seat> { .init("Venue.rowIDs", { $0.rowIDs }, set: { $0.rowIDs = $1 }) }
        var best: _ToOptionalKeyed<String, Seat> { .init("Venue.bestIDs", { $0.bestIDs }, set: { $0.bestIDs = $1 }) }
        var seasons: _ToMany<Seat> { .init("Venue.seasonIDs", { $0.seasonIDs }, set: { $0.seasonIDs = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var inverses: _Inverses {
        [.init(\.rows, \.venue), .init(\.best, \.bestOf), .init(\.seasons, \.season)]
    }
}

/// A seat with an optional, a constant and a required property.
struct Seat: NumberedEntity {
    let id: Int
    var venueID: Int?
    let bestOfID: Int?
    var seasonID: Int

    init(id: Int) { self.init(id: id, bestOfID: nil) }

    init(id: Int, venueID: Int? = nil, bestOfID: Int?, seasonID: Int = 0) {
        self.id = id
        self.venueID = venueID
        self.bestOfID = bestOfID
        self.seasonID = seasonID
    }

    struct Relationships: Sendable {
        var venue: _ToOptional<Venue> { .init("Seat.venueID", { $0.venueID }, set: { $0.venueID = $1 }) }
        var bestOf: _ToOptional<Venue> { .init("Seat.bestOfID") { $0.bestOfID } }
        var season: _ToOne<Venue> { .init("Seat.seasonID", { $0.seasonID }, set: { $0.seasonID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var inverses: _Inverses {
        [.init(\.venue, \.rows), .init(\.bestOf, \.best), .init(\.season, \.seasons)]
    }
}
