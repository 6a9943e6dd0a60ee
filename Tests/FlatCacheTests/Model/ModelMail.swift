/// What one or more commits have changed among the keys of an observer, as a net change.
struct ModelMail {
    /// The net change of one key.
    struct Change: Equatable, CustomStringConvertible {
        let key: ModelKey
        let old: Int?
        let new: Int?
        /// The commit that changed it last.
        let commit: Int

        var description: String { "\(key): \(old.map(String.init) ?? "nil") → \(new.map(String.init) ?? "nil")" }
    }

    private(set) var changes: [Change] = []
    /// The newest commit that wrote one of the keys, whether that changed anything or not.
    private(set) var newestCommit = 0
    /// How many changes were folded.
    private(set) var foldCount = 0

    var isEmpty: Bool { changes.isEmpty }

    /// The commits of which one has the revision that is told.
    var possibleCommits: ClosedRange<Int> {
        let oldest = changes.map(\.commit).max() ?? newestCommit
        return oldest...max(oldest, newestCommit)
    }

    /// Folds in what a commit has written to one key.
    mutating func fold(_ key: ModelKey, from old: Int?, to new: Int?, commit: Int) {
        newestCommit = commit
        guard CacheModel.isChange(of: key, from: old, to: new) else { return }
        foldCount += 1
        var change = Change(key: key, old: old, new: new, commit: commit)
        if let index = changes.firstIndex(where: { $0.key == key }) {
            change = Change(key: key, old: changes[index].old, new: new, commit: commit)
            changes.remove(at: index)
        }
        if CacheModel.isChange(of: key, from: change.old, to: new) { changes.append(change) }
    }

    /// Folds in what later commits have changed.
    func folded(with later: ModelMail) -> ModelMail {
        var mail = self
        for change in later.changes { mail.fold(change.key, from: change.old, to: change.new, commit: change.commit) }
        mail.newestCommit = max(newestCommit, later.newestCommit)
        return mail
    }
}
