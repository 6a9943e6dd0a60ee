import FlatCache
import FlatCacheStore

/// An account that was moved to this type, or founded with it.
struct Deposit: Storable, Codable {
    static let storedName = "Deposit"

    let id: Int
    var balance: Int
}

/// An account that was moved to this type.
struct Loan: Storable, Codable {
    static let storedName = "Loan"

    let id: Int
    var balance: Int
}

/// One of thousands of entities that are written and removed together.
struct Note: Storable, Codable {
    static let storedName = "Note"

    let id: Int
    let text: String
}

/// The number of the last step, which each commit increases.
struct Position: Storable, Codable {
    static let storedName = "Position"

    var id = 0
    let step: Int
}

/// What a process has committed while its store was suspended.
struct Visit: Storable, Codable {
    static let storedName = "Visit"

    /// The name of the process.
    let id: String
    let turn: Int
}

/// So many bytes that a store that reads on begins again instead.
struct Ballast: Storable, Codable {
    static let storedName = "Ballast"

    var id = 0
    let text: String
}
