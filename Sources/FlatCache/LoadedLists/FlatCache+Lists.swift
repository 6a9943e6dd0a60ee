extension FlatCache {
    /// Returns the list with a name and arguments, such as those of the request that loads it.
    ///
    ///     let posts = cache.list("posts", of: Post.self, arguments: [account.id, "media"])
    ///     posts.name          // "posts?7&media"
    ///
    /// The arguments are part of the name, as those of a URL: `%`, `&` and `?` in the name and in an argument are written `%25`, `%26`
    /// and `%3F`. Lists with other arguments are other lists.
    ///
    /// A name without arguments stays as it is, so that the ``CachedList/name`` of any list finds it. A `?` in it begins arguments.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - type: The type of its entities; can be omitted if it is inferred.
    ///   - arguments: The arguments. Without any, it is the list with the name.
    ///   - dropsRemoved: Whether the list loses the identifiers of entities that are removed, from the next write by the
    ///     returned reference on.
    ///   - keeps: The number of entities at the beginning of the list that a limit doesn't evict, from the next write by the
    ///     returned reference on, or `nil` to leave it as it is. It is that of the limit, until one is named.
    /// - Complexity: O(1) on average, and the length of the arguments.
    public func list<Value: Cachable>(
        _ name: String,
        of type: Value.Type = Value.self,
        arguments: [String],
        dropsRemoved: Bool = false,
        keeps: Int? = nil
    ) -> CachedList<Value> {
        list(ListName(name, arguments).text, of: type, dropsRemoved: dropsRemoved, keeps: keeps)
    }

    /// Returns the lists of a type that were written or loaded, in the order in which they were first written.
    ///
    ///     for search in cache.lists(of: Post.self, named: "search") { search.remove() }
    ///
    /// An empty list is one of them if it was loaded, is being loaded, or its last call of the loader has failed, until it is
    /// removed with ``CachedList/remove()``. Without identifiers, it has the place of its first call of the loader.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - name: The name without arguments, or `nil` for all lists of the type.
    /// - Returns: The lists. It is empty if there is none.
    /// - Complexity: O(*n* log *n*) on average for *n* lists of the type.
    public func lists<Value: Cachable>(of type: Value.Type, named name: String? = nil) -> [CachedList<Value>] {
        let (written, loaded) = readTogether {
            (
                registry.table(of: ListContents<Value>.self).takeUnretainedValue().entities,
                registry.table(of: ListLoading<Value>.self).takeUnretainedValue().entities
            )
        }
        let known = Set(written.map { $0.value.id })
        let others = loaded.filter { $0.value.wasRequested && !known.contains($0.value.id) }
        return (written.map { ($0.value.id, $0.ordinal) } + others.map { ($0.value.id, $0.ordinal) })
            .filter { id, _ in name.map { ListName.hasName($0, id) } ?? true }
            .sorted { $0.1 < $1.1 }
            .map { id, _ in list(id, of: type) }
    }

    /// Whether a loader of a list of a type may have been set.
    func mayLoadLists<Value: Cachable>(of type: Value.Type) -> Bool { registry.find(ListLoading<Value>.self) != nil }

    /// Notes the removal of all entities of a type in its lists, in the transaction that makes it.
    func noteClearOfLists<Value: Cachable>(of type: Value.Type) {
        guard mayLoadLists(of: type) else { return }
        for state in allValues(of: ListLoading<Value>.self) {
            let list = list(state.id, of: type)
            if state.loadedAt != nil { list.changeLoading(isNew: false) { $0.noteClear() } }
            if !state.calls.isEmpty { list.endCallsWithCommit(in: self) }
        }
    }
}

extension CachedList {
    /// Removes the identifiers of the list, its loader and what is known of its pages.
    ///
    /// Its entities stay in the cache. Those who wait for a page of the list receive none. In a transaction, a loader that is set
    /// after the removal remains.
    ///
    /// - Complexity: O(*n*) for the *n* observers of the list.
    public func remove() {
        guard let cache else { return }
        cache.commitTogether {
            cache.remove(ListContents<Value>.self, id: name)
            // A page that joins at the moment doesn't find its call.
            cache.remove(ListLoading<Value>.self, id: name)
            // A loader that is set later, also in the same transaction, remains.
            let number = cache.listLoaders.knownLoader(of: self)?.number ?? 0
            cache.history.transactionOfThread?.addEffect { isCommitted in
                if isCommitted { endCalls(removingLoaderUpTo: number, in: cache) }
            }
        }
    }

    /// Lets no page join that was asked for before the identifiers were replaced by the same ones, in a transaction.
    ///
    /// - Parameters:
    ///   - contents: The new contents, which are equal to the old ones.
    ///   - isStored: Whether there are contents. An empty list that was never written is not stored, so that nobody is notified.
    ///   - cache: The cache.
    func noteReplacement(by contents: ListContents<Value>, isStored: Bool, in cache: FlatCache) {
        guard isStored else { return removeContents() }
        cache.set(contents)
        // Readers of the age and the cursor are notified.
        changeLoading(isNew: false) { $0.forgetPages() }
    }

    /// Lets no page list the identifiers again that the app removes while it is loaded, in a transaction.
    ///
    /// - Parameters:
    ///   - old: The contents before the removal.
    ///   - new: The contents after it.
    ///   - cache: The cache.
    func noteRemovals(
        from old: ListContents<Value>,
        to new: ListContents<Value>,
        in cache: FlatCache
    ) {
        if cache.mayLoadLists(of: Value.self) { noteRemovals(old.members.subtracting(new.members)) }
    }

    /// Lets no page list identifiers again that the app removes while it is loaded, in a transaction.
    func noteRemovals(_ removed: [Value.ID]) {
        guard let cache, !removed.isEmpty, cache.mayLoadLists(of: Value.self),
            cache.get(ListLoading<Value>.self, id: name)?.calls.isEmpty == false
        else { return }
        changeLoading(isNew: false) { $0.noteRemovals(removed) }
    }

    /// Removes all identifiers, and lets no page join that was asked for before.
    func removeContents() {
        guard let cache else { return }
        cache.commitTogether {
            cache.remove(ListContents<Value>.self, id: name)
            guard cache.get(ListLoading<Value>.self, id: name)?.calls.isEmpty == false else { return }
            endCallsWithCommit(in: cache)
        }
    }

    /// Ends all calls without effect when the transaction of the calling thread is committed.
    func endCallsWithCommit(in cache: FlatCache) {
        // A page that joins at the moment doesn't find its call.
        changeLoading(isNew: false) { $0.calls = [] }
        cache.history.transactionOfThread?.addEffect { isCommitted in
            if isCommitted { endCalls(in: cache) }
        }
    }
}

/// The name of a list with arguments.
private struct ListName {
    let text: String

    init(_ name: String, _ arguments: [String]) {
        text = arguments.isEmpty ? name : "\(Self.escaped(name))?\(arguments.map(Self.escaped).joined(separator: "&"))"
    }

    /// Whether a text is a name, alone or with arguments.
    static func hasName(_ name: String, _ text: String) -> Bool { text == name || text.hasPrefix("\(escaped(name))?") }

    private static func escaped(_ part: String) -> String {
        var text = ""
        for character in part.unicodeScalars {
            switch character {
            case "%": text += "%25"
            case "&": text += "%26"
            case "?": text += "%3F"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
