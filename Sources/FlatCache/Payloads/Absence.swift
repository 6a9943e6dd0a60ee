/// What a payload leaves out of a value: keys of the value itself, and of the values in it.
final class Absence: Sendable {
    /// The keys that were asked for and are absent, in the order of the questions.
    let keys: [String]
    /// The members from which the payload leaves something out.
    let members: [Member]

    struct Member: Sendable {
        let name: String
        let absence: Absence

        /// The absent keys, as paths: `fields.summary`.
        var paths: [String] { absence.paths.map { "\(name).\($0)" } }
    }

    static let none = Absence(keys: [], members: [])

    init(keys: [String], members: [Member]) {
        self.keys = keys
        self.members = members
    }

    var isEmpty: Bool { keys.isEmpty && members.isEmpty }

    /// What is left out of a member, or `nil` if nothing is.
    subscript(name: String) -> Absence? {
        for member in members where member.name == name { return member.absence }
        return nil
    }

    /// The absent keys of this value and of its members, as paths.
    var paths: [String] { keys + members.flatMap { $0.paths } }
}
