import FlatCache

/// A resource of the REST API, which lists pull requests among the issues.
enum Resource: Decodable {
    case issue(Issue)
    case pullRequest(PullRequest)
    case label(Label)

    private enum CodingKeys: CodingKey { case pullRequest, color }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let resource = try decoder.singleValueContainer()
        if members.contains(.pullRequest) {
            self = .pullRequest(try resource.decode(PullRequest.self))
        } else if members.contains(.color) {
            self = .label(try resource.decode(Label.self))
        } else {
            self = .issue(try resource.decode(Issue.self))
        }
    }

    /// The identifier of an issue or a pull request, or `nil` for a label.
    var ticketID: TicketID? {
        switch self {
        case .issue(let issue): .issue(issue.id)
        case .pullRequest(let pullRequest): .pullRequest(pullRequest.id)
        case .label: nil
        }
    }
}
