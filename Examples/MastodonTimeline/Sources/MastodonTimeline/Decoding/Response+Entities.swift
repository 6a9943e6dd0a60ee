extension Response {
    /// Collects a status and all that is nested in it.
    ///
    /// - Returns: Its identifier, or `nil` when there is no status.
    @discardableResult
    mutating func collectStatus(from json: JSON) -> Status.ID? {
        guard let id = identifier(of: json) else { return nil }
        // Of a boosted status that the reader may not see, some servers tell the identifier alone.
        guard json.hasMember(among: Response.statusMembers) else { return id }
        statuses.append(
            Status(
                id: id,
                accountID: collectAccount(from: json["account"]),
                reblogID: collectStatus(from: json["reblog"]),
                repliedToStatusID: json["in_reply_to_id"].identifier,
                repliedToAccountID: json["in_reply_to_account_id"].identifier,
                pollID: collectPoll(from: json["poll"]),
                mediaAttachmentIDs: json["media_attachments"].elements.compactMap { collectMediaAttachment(from: $0) },
                tagIDs: json["tags"].elements.compactMap { collectTag(from: $0) },
                mentions: json["mentions"].elements.compactMap(Status.Mention.init),
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

    @discardableResult
    mutating func collectAccount(from json: JSON) -> Account.ID? {
        guard let id = identifier(of: json) else { return nil }
        guard json.hasMember(among: Response.accountMembers) else { return id }
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
        polls.append(
            Poll(
                id: id,
                options: json["options"].elements.map {
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

    mutating func collectMediaAttachment(from json: JSON) -> MediaAttachment.ID? {
        guard let id = identifier(of: json) else { return nil }
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
            unreadableCount += 1
            return nil
        }
        let tag = Tag(name: name)
        tags.append(tag)
        return tag.id
    }

    /// The identifier under which an entity can be stored; one that is there but has none is left out.
    private mutating func identifier(of json: JSON) -> String? {
        if json == .null { return nil }
        if let id = json["id"].identifier { return id }
        unreadableCount += 1
        return nil
    }
}

extension Status.Mention {
    init?(_ json: JSON) {
        guard let accountID = json["id"].identifier, let handle = json["acct"].string else { return nil }
        self.init(accountID: accountID, handle: handle)
    }
}
