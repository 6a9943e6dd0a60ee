import FlatCache
import FlatCacheStore
import Foundation

/// A question with answers to vote for, attached to a status.
struct Poll: Storable, Codable, Equatable {
    /// An answer; the number of its votes is unknown while the server hides the result.
    struct Option: Codable, Equatable {
        let title: String
        let votesCount: Int?
    }

    static let storedName = "Poll"

    let id: String
    let options: [Option]
    let votesCount: Int
    /// The number of people who voted, which is less than the votes where several answers are allowed.
    ///
    /// Not every server tells it.
    var votersCount: Int?
    let allowsMultipleChoices: Bool
    var expiresAt: Date?
    let isExpired: Bool
    /// The positions of the options that the reader voted for.
    ///
    /// A server leaves them out for those who aren't signed in.
    var ownVotes: Set<Int>?

    enum CodingKeys: String, CodingKey {
        case id, options, votesCount, votersCount, expiresAt, ownVotes
        case allowsMultipleChoices = "multiple"
        case isExpired = "expired"
    }
}

extension Poll {
    /// Returns the share of those who voted that chose an option, from 0 to 1; `nil` while the result is hidden.
    func share(of option: Option) -> Double? {
        guard let votes = option.votesCount else { return nil }
        let total = votersCount.flatMap { $0 > 0 ? $0 : nil } ?? votesCount
        return total > 0 ? min(1, Double(max(0, votes)) / Double(total)) : 0
    }
}
