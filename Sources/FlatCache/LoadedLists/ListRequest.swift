/// A page to load.
struct ListRequest<Value: Cachable>: Sendable {
    let list: CachedList<Value>
    let place: ListPlace
    let joining: ListJoining
    let source: ListLoader<Value>.Source
    let page: ListPageRequest<Value, any Sendable>
    /// If the page is around an entity, the number of the call that ran at the place before, and whether it is for the same entity.
    ///
    /// Identifiers aren't compared while a lock is held.
    let around: (running: UInt64?, isSame: Bool)?
    /// The confirmed contents when the page was asked for.
    let contents: ListContents<Value>
    /// What was known of the pages then.
    let beginningNumber: UInt64
    let endNumber: UInt64
    let lastFirstCall: UInt64
    let invalidations: Int
    /// The number of pages that had joined before.
    let endedJoins: UInt64

    /// The generation of the contents to which the page belongs.
    var generation: UInt64 { contents.generation }
}

/// A loaded page, and what stores its entities.
struct LoadedWork<Value: Cachable>: Sendable {
    let content: PayloadContent
    let store: @Sendable (FlatCache, WriteCondition) throws -> ListPage<Value, any Sendable>.Stored

    init<Cursor>(_ page: ListPage<Value, Cursor>) {
        content = page.content
        store = { [store = page.store] in try store($0, $1) }
    }
}
