extension Status.Quote {
    enum CodingKeys: CodingKey {
        case state, quotedStatusID
    }

    /// Decodes the object of a status's `quote`, which has the quoted status, or its identifier where quotes are nested.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        state = try container.decodeIfPresent(String.self, forKey: .state)
        let id = try container.decodeIfPresent(Status.ID.self, forKey: .quotedStatusID)
        // Servers that had quotes before Mastodon send the quoted status itself.
        let isStatus = state == nil && id == nil
        quotedStatusID = isStatus ? try decoder.singleValueContainer().decode(Status.self).id : id
    }
}
