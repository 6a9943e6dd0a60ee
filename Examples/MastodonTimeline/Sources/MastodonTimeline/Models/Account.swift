import FlatCache

/// A person, group or bot that posts.
struct Account: Cachable, Equatable {
    let id: String

    /// The name with the server, which is left out for accounts of the server that answers: `ines@allotment.example.net`.
    let handle: String
    var displayName: String
}

extension Account {
    /// The name to show: the one that the person chose, or else the one they registered.
    var name: String { displayName.isEmpty ? handle : displayName }
}
