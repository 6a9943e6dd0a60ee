import FlatCache

/// A person, group or bot that posts.
struct Account: Cachable, Equatable {
    let id: String

    /// The name with the server, which is left out for accounts of the server that answers: `ines@allotment.example.net`.
    let handle: String
    var displayName: String

    /// The statuses by this account that have been seen so far, newest first.
    ///
    /// No response lists them. They are gathered whenever statuses are stored, see ``Response/store(in:)``.
    // relationship: Status
    var statusIDs: [Status.ID] = []
}

extension Account {
    /// The name to show: the one that the person chose, or else the one they registered.
    var name: String { displayName.isEmpty ? handle : displayName }
}
