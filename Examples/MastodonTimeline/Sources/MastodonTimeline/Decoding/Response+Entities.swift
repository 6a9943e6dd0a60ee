extension Response {
    /// Collects a status and all that is nested in it.
    ///
    /// - Returns: Its identifier, or `nil` when there is no status.
    @discardableResult
    mutating func collectStatus(from json: JSON) -> Status.ID? {
        guard let id = identifier(of: json) else { return nil }
        guard isWhole(json, Shape.status) else { return id }
        for author in elements(of: json["card"]["authors"]) { collectAccount(from: author["account"]) }
        statuses.append(
            Status(
                id: id,
                accountID: collectAccount(from: json["account"]),
                reblogID: collectStatus(from: json["reblog"]),
                quotedStatusID: collectQuotedStatus(from: json["quote"]),
                quoteState: json["quote"]["state"].string,
                repliedToStatusID: json["in_reply_to_id"].identifier,
                repliedToAccountID: json["in_reply_to_account_id"].identifier,
                pollID: collectPoll(from: json["poll"]),
                mediaAttachmentIDs: elements(of: json["media_attachments"]).compactMap {
                    collectMediaAttachment(from: $0)
                },
                tagIDs: elements(of: json["tags"]).compactMap { collectTag(from: $0) },
                mentions: elements(of: json["mentions"]).compactMap { mention(from: $0) },
                createdAt: json["created_at"].date,
                editedAt: json["edited_at"].date,
                visibility: json["visibility"].string.flatMap(Status.Visibility.init) ?? .unknown,
                content: json["content"].string ?? "",
                contentWarning: json["spoiler_text"].string ?? "",
                isSensitive: json["sensitive"].bool ?? false,
                repliesCount: json["replies_count"].integer ?? 0,
                reblogsCount: json["reblogs_count"].integer ?? 0,
                favouritesCount: json["favourites_count"].integer ?? 0,
                isFavourited: json["favourited"].bool ?? false
            )
        )
        return id
    }

    /// Collects the status that a quote nests, or takes the identifier from one that tells that alone.
    private mutating func collectQuotedStatus(from quote: JSON) -> Status.ID? {
        // Servers that had quotes before Mastodon nest the status itself.
        guard quote.hasMembers(Shape.quote) else { return collectStatus(from: quote) }
        return quote["quoted_status_id"].identifier ?? collectStatus(from: quote["quoted_status"])
    }

    @discardableResult
    mutating func collectAccount(from json: JSON) -> Account.ID? {
        guard let id = identifier(of: json) else { return nil }
        guard isWhole(json, Shape.account) else { return id }
        // Where it has moved to.
        collectAccount(from: json["moved"])
        accounts.append(
            Account(
                id: id,
                handle: json["acct"].string ?? json["username"].string ?? id,
                displayName: json["display_name"].string ?? ""
            )
        )
        return id
    }

    @discardableResult
    mutating func collectPoll(from json: JSON) -> Poll.ID? {
        guard let id = identifier(of: json) else { return nil }
        guard isWhole(json, Shape.poll) else { return id }
        polls.append(
            Poll(
                id: id,
                options: elements(of: json["options"]).map {
                    Poll.Option(title: $0["title"].string ?? "", votesCount: $0["votes_count"].integer)
                },
                votesCount: json["votes_count"].integer ?? 0,
                votersCount: json["voters_count"].integer,
                allowsMultipleChoices: json["multiple"].bool ?? false,
                expiresAt: json["expires_at"].date,
                isExpired: json["expired"].bool ?? false,
                ownVotes: Set(json["own_votes"].elements.compactMap(\.integer))
            )
        )
        return id
    }

    @discardableResult
    mutating func collectMediaAttachment(from json: JSON) -> MediaAttachment.ID? {
        guard let id = identifier(of: json) else { return nil }
        guard isWhole(json, Shape.mediaAttachment) else { return id }
        mediaAttachments.append(
            MediaAttachment(
                id: id,
                kind: json["type"].string.flatMap(MediaAttachment.Kind.init) ?? .unknown,
                description: json["description"].string ?? ""
            )
        )
        return id
    }

    @discardableResult
    mutating func collectTag(from json: JSON) -> Tag.ID? {
        guard let name = json["name"].identifier else {
            leaveOut()
            return nil
        }
        let tag = Tag(name: name)
        tags.append(tag)
        return tag.id
    }

    private mutating func mention(from json: JSON) -> Status.Mention? {
        guard let accountID = json["id"].identifier, let handle = json["acct"].string else {
            leaveOut()
            return nil
        }
        return Status.Mention(accountID: accountID, handle: handle)
    }

    // MARK: What may be missing

    /// The identifier under which an entity can be stored; one that is there but has none is left out.
    private mutating func identifier(of json: JSON) -> String? {
        if json == .null { return nil }
        if let id = json["id"].identifier { return id }
        leaveOut()
        return nil
    }

    /// Whether all of an entity is there.
    ///
    /// Half of one is left out: stored, it would replace a whole one. Of a boosted status that the reader may not see, some
    /// servers tell the identifier alone. That is no loss.
    private mutating func isWhole(_ json: JSON, _ members: Set<String>) -> Bool {
        if json.hasMembers(members) { return true }
        if json != .object(["id": json["id"]]) { leaveOut() }
        return false
    }

    /// The elements of a list; what should be one and isn't is left out.
    mutating func elements(of json: JSON) -> [JSON] {
        switch json {
        case .array(let elements): return elements
        case .null: break
        default: leaveOut()
        }
        return []
    }
}
