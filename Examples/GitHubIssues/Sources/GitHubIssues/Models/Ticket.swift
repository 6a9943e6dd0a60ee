import FlatCache

/// An issue or a pull request, which a board shows in the same way.
protocol Ticket: Cachable {
    var number: Int { get }
    var title: String { get }
    var state: TicketState { get }
    var comments: Int { get }
    var author: User? { get }
    var assignees: [User] { get }
    var milestone: Milestone? { get }
    /// The labels, or `nil` if no response has said which there are.
    var labels: [Label]? { get }
}

enum TicketState: String, Codable, CaseIterable {
    case open, closed
}
