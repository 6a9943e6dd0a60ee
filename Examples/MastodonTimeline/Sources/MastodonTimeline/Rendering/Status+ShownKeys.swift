import FlatCache

extension Status {
    /// The keys of all entities that are read to show this status, stored or not.
    ///
    /// Whoever observes them knows when a ``StatusRenderer`` would give other lines.
    var shownKeys: Set<FlatCacheKey> {
        var keys = ownShownKeys
        if let reblogID {
            keys.insert(Status.flatCacheKey(id: reblogID))
            if let reblog { keys.formUnion(reblog.ownShownKeys) }
        }
        return keys
    }

    private var ownShownKeys: Set<FlatCacheKey> {
        var keys = Set(mediaAttachmentIDs.map(MediaAttachment.flatCacheKey(id:)))
        keys.insert(flatCacheKey)
        keys.formUnion(
            [accountID, repliedToAccountID, repliedToStatus?.accountID].compactMap { $0 }.map(Account.flatCacheKey(id:))
        )
        if let repliedToStatusID { keys.insert(Status.flatCacheKey(id: repliedToStatusID)) }
        if let pollID { keys.insert(Poll.flatCacheKey(id: pollID)) }
        return keys
    }
}
