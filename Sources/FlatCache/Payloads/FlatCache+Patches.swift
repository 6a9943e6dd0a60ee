extension FlatCache {
    /// Applies a patch to the stored entity.
    ///
    ///     let account = cache.store(patch).value
    ///
    /// - Parameters:
    ///   - patch: The patch.
    ///   - revision: A revision from before the request, or `nil`. An entity that was written or removed since is left
    ///     as it is.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The entity as it is stored, `nil` if it isn't stored, and the problems.
    /// - Complexity: The time of the patch, and O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    public func store<Patch: EntityPatch>(
        _ patch: Patch,
        since revision: CacheRevision? = nil,
        origin: Origin = .server
    ) -> StoredPayload<Patch.Entity> {
        store(PayloadContent(patch), EntityRoot(patch.id), if: .response(since: revision), origin: origin)
    }

    /// Applies a patch to the stored entity, or throws the problem and stores nothing.
    ///
    /// - Parameters:
    ///   - patch: The patch.
    ///   - strict: Whether a problem is thrown. If `false`, this method doesn't throw.
    ///   - revision: A revision from before the request, or `nil`. An entity that was written or removed since is left
    ///     as it is.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The entity as it is stored, `nil` if it isn't stored, and the problems.
    /// - Throws: The problem, if the patch finds no entity or changes its identifier.
    /// - Complexity: The time of the patch, and O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    public func store<Patch: EntityPatch>(
        _ patch: Patch,
        strict: Bool,
        since revision: CacheRevision? = nil,
        origin: Origin = .server
    ) throws(PayloadProblem) -> StoredPayload<Patch.Entity> {
        try store(PayloadContent(patch), EntityRoot(patch.id), strict: strict, since: revision, origin: origin)
    }

    /// Applies patches to the stored entities in one commit, which notifies each observer once.
    ///
    ///     let stored = cache.store(patches)
    ///     stored.value                // the changed entities
    ///     stored.problems             // the patches that found no entity
    ///
    /// - Parameters:
    ///   - patches: The patches, which are applied in order.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written or removed since are left
    ///     as they are.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The entities of the patches as they are stored, in order, and the problems. The coding path of a
    ///   problem is the position of the patch.
    /// - Complexity: The time of the patches, and O(*n*) on average for *n* patches and the observers of their keys.
    @discardableResult
    public func store<Patch: EntityPatch>(
        _ patches: some Sequence<Patch>,
        since revision: CacheRevision? = nil,
        origin: Origin = .server
    ) -> StoredPayload<[Patch.Entity]> {
        let patches = Array(patches)
        let root = ArrayRoot<Patch.Entity>(patches.map { $0.id })
        return store(PayloadContent(patches), root, if: .response(since: revision), origin: origin)
    }

    /// Applies patches to the stored entities in one commit, or throws the first problem and stores nothing.
    ///
    /// - Parameters:
    ///   - patches: The patches, which are applied in order.
    ///   - strict: Whether a problem is thrown. If `false`, this method doesn't throw.
    ///   - revision: A revision from before the request, or `nil`. Entities that were written or removed since are left
    ///     as they are.
    ///   - origin: The origin of the commit. In a transaction, the origin of the transaction counts.
    /// - Returns: The entities of the patches as they are stored, in order, and the problems.
    /// - Throws: The problem of the first patch that finds no entity or changes its identifier.
    /// - Complexity: The time of the patches, and O(*n*) on average for *n* patches and the observers of their keys.
    @discardableResult
    public func store<Patch: EntityPatch>(
        _ patches: some Sequence<Patch>,
        strict: Bool,
        since revision: CacheRevision? = nil,
        origin: Origin = .server
    ) throws(PayloadProblem) -> StoredPayload<[Patch.Entity]> {
        let patches = Array(patches)
        let root = ArrayRoot<Patch.Entity>(patches.map { $0.id })
        return try store(PayloadContent(patches), root, strict: strict, since: revision, origin: origin)
    }
}

extension PayloadContent {
    /// Creates the content of one patch.
    init(_ patch: some EntityPatch) {
        self.init([patch]) { _ in [] }
    }

    /// Creates the content of patches, whose coding paths are their positions.
    init(_ patches: [some EntityPatch]) {
        self.init(patches) { [AnyCodingKey(index: $0)] }
    }

    private init<Patch: EntityPatch>(_ patches: [Patch], codingPath: (Int) -> [any CodingKey]) {
        let entities = CollectedEntities<Patch.Entity>()
        for (index, patch) in patches.enumerated() { entities.append(patch, at: codingPath(index)) }
        self.init(parts: [entities], problems: [])
    }
}
