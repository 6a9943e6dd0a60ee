public import FlatCache

/// A board, with identifiers in arrays of arrays and in dictionaries.
public struct Board: Cachable, Equatable {
    /// The identifier.
    public let id: String
    // relationship: Cell
    /// The rows.
    public var cellIDs: [[Cell.ID]] = []
    // relationship: Cell, name: marks
    var markedCellIDs: [[Cell.ID]]?
    // relationship: Cell, name: corners
    let cornerIDs: Array<[Int]>
    // relationship: Player
    /// The players by their colours.
    public var playerIDs: [Colour: Player.ID] = [:]
    // relationship: Player, name: guests
    package var guestIDs: Dictionary<String, String>? = nil
    // relationship: Player, name: referees
    let refereeIDs: [Board.Role: String]

    init(
        id: String,
        cellIDs: [[Int]] = [],
        markedCellIDs: [[Int]]? = nil,
        cornerIDs: [[Int]],
        playerIDs: [Colour: String] = [:],
        refereeIDs: [Role: String] = [:]
    ) {
        self.id = id
        self.cellIDs = cellIDs
        self.markedCellIDs = markedCellIDs
        self.cornerIDs = cornerIDs
        self.playerIDs = playerIDs
        self.refereeIDs = refereeIDs
    }

    /// A role beside the players.
    enum Role: Sendable {
        case judge, clerk
    }
}

/// A colour of pieces.
public enum Colour: Sendable {
    case white, black
}

/// A cell of boards.
public struct Cell: Cachable, Equatable {
    /// The identifier.
    public let id: Int
    // relationship: Player
    var playerID: Player.ID?
}

/// A player, a team, or somebody without a name.
public enum Owner: Hashable, Sendable {
    // relationship: Player
    /// One player.
    case player(Player.ID)
    // relationship: Player, name: members
    case team([Player.ID])
    case pair(Set<String>)  // relationship: Player, name: partners
    #if DEBUG
    // relationship: Cell
    case cells([[Int]])
    #endif
    // relationship: Player
    case `default`([Colour: String])
    case nobody
    case other(name: String, rank: Int)
}

/// A player of games.
public struct Player: Cachable, Equatable {
    /// The identifier.
    public let id: String
    // relationship: Board
    var boardIDs: [Board.ID] = []
}

/// An entity that is an enum, with one case.
enum Sole: Cachable, Equatable {
    // relationship: Player
    case playerID(Player.ID)

    var id: String {
        switch self {
        case .playerID(let id): id
        }
    }
}
