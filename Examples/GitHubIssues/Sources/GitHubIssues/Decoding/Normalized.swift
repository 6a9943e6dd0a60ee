import FlatCache

/// Entities that a client has normalized already, in one dictionary for each type.
struct Normalized: Decodable {
    let entities: Entities
    /// The issues and pull requests of the response, in its order.
    let result: [TicketID]

    struct Entities: Decodable {
        let named: FlatPayload<Issue, PullRequest, User, Milestone>
        let labels: FlatPayload<Label>

        private enum CodingKeys: CodingKey { case labels }

        init(from decoder: any Decoder) throws {
            named = try FlatPayload(from: decoder)
            // The labels are a dictionary of names in the other one.
            labels = try decoder.container(keyedBy: CodingKeys.self).decode(FlatPayload.self, forKey: .labels)
        }
    }
}

/// The identifier of an issue or a pull request.
enum TicketID: Hashable, Decodable {
    case issue(Issue.ID)
    case pullRequest(PullRequest.ID)

    private enum CodingKeys: CodingKey { case id, schema }
    private enum Schema: String, Decodable { case issues, pullRequests }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id = try container.decode(Int.self, forKey: .id)
        self =
            switch try container.decode(Schema.self, forKey: .schema) {
            case .issues: .issue(id)
            case .pullRequests: .pullRequest(id)
            }
    }
}
