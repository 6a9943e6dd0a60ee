/// The change of one key by a mutation.
@usableFromInline
protocol MutationStep: AnyObject, Sendable {
    /// The key of the entity, list or reference, after replacements of its identifier.
    func key(of mutation: PendingMutation, in cache: FlatCache) -> FlatCacheKey

    /// The key that the mutation names.
    var key: FlatCacheKey { get }

    /// The type of the entity, list or reference, by which steps are compared in less time than by their keys.
    var entityType: ObjectIdentifier { get }

    /// Whether it inserts an entity with an identifier that the server replaces.
    var isTemporary: Bool { get }

    /// Whether the mutation is sent after the insertion of the entity has ended.
    ///
    /// It isn't for what delete rules make of an entity, which the mutation doesn't send.
    var waitsForInsertion: Bool { get }

    /// Whether it is a change of an entity that the mutation sends, and not of a list or a reference.
    var isOfEntity: Bool { get }

    /// The identifier if it is temporary and of a type, or `nil`.
    func temporaryID<Related: Cachable>(of type: Related.Type) -> Related.ID?

    /// Whether it inserts an entity that is recognized when it comes from the server.
    var isMatched: Bool { get }

    /// Lets the inserted entity be recognized when it comes from the server, from the commit of a transaction on.
    func await(of mutation: PendingMutation, in transaction: Transaction, _ cache: FlatCache)

    /// Doesn't let the inserted entity be recognized any more.
    ///
    /// - Parameter isDropped: Whether the mutation has failed after it was sent, so that the server can have the entity nevertheless.
    func stopAwaiting(of mutation: PendingMutation, isDropped: Bool, in transaction: Transaction, _ cache: FlatCache)

    /// Whether the inserted entity is recognized when it comes from the server, and hasn't come yet.
    func isAwaited(of mutation: PendingMutation, in cache: FlatCache) -> Bool

    /// Whether an entity has taken the place of the inserted one because of its matching key.
    func isRecognized(in cache: FlatCache) -> Bool

    /// Looks whether the inserted entity has come already.
    func matchStored(of mutation: PendingMutation, in cache: FlatCache)

    /// Removes the inserted entity if the server has confirmed the insertion and it isn't known which of its entities that is, in
    /// the transaction of the calling thread.
    ///
    /// - Returns: The error, or `nil` if the entity is known.
    func dropUnidentified(of mutation: PendingMutation, in cache: FlatCache) -> MutationError?

    /// The keys of other entities that the change names, or to which the changed entity refers.
    func namedKeys(by mutation: PendingMutation, in cache: FlatCache) -> [FlatCacheKey]

    /// The error of the failed insertion of the entity, or `nil` if none has failed or the entity is stored.
    func insertionError(before mutation: PendingMutation, in cache: FlatCache) -> (any Error)?

    /// Replaces the identifier by that of an entity of the type, which the transaction of the calling thread has stored.
    ///
    /// - Returns: Whether the entity is of the type.
    func replaceIdentifier(by entity: any Sendable, in cache: FlatCache) -> Bool

    /// Moves the inserted entity to the identifier of the answer, in the transaction of the calling thread, so that a payload which
    /// leaves out properties keeps those of the entity.
    ///
    /// - Parameter key: The key of the root of the payload.
    /// - Returns: Whether it was moved. If not, the key is of another type, or the entity can't be coded with another identifier.
    func move(to key: FlatCacheKey, in cache: FlatCache) -> Bool

    /// Lets the entity of an answer not be stored if the inserted entity was removed since the mutation was sent, in the transaction
    /// of the calling thread.
    ///
    /// - Parameter key: The key of the entity of the answer.
    func refuseAnswer(_ key: FlatCacheKey, in cache: FlatCache)

    /// Whether the mutation, which the transaction of the calling thread confirms, doesn't change the entity, because others have
    /// removed it.
    func isRefused(of mutation: PendingMutation, in cache: FlatCache) -> Bool

    /// The numbers of the mutations with layers of the key, in the order in which they began.
    func layerNumbers(of mutation: PendingMutation, in cache: FlatCache) -> [UInt64]

    /// The mutations that have begun before and insert an entity of the key, which may have ended.
    func insertions(below mutation: PendingMutation, in cache: FlatCache) -> [PendingMutation]

    /// Lets a commit of another thread that has applied the layers of the key, and isn't made yet, apply them again.
    ///
    /// It is called in a transaction.
    func applyAgain(of mutation: PendingMutation, in cache: FlatCache)

    /// Moves the layer to the current identifier, and lets it name current ones, after some were replaced while it was added.
    func settle(_ mutation: PendingMutation, in transaction: Transaction, of cache: FlatCache)

    /// Adds a layer with the change, in a commit of its own.
    ///
    /// - Returns: The number of layers of the key after the commit, or `nil` if a transaction must add it.
    func add(of mutation: PendingMutation, in cache: FlatCache) -> Int?

    /// Removes the layer, in a commit of its own.
    ///
    /// - Returns: Whether the commit was made. If not, a transaction must remove it.
    func remove(of mutation: PendingMutation, in cache: FlatCache) -> Bool

    /// Makes the change to the confirmed entity and removes the layer, in a commit of its own.
    ///
    /// The mutation has no other change, and its answer has no entity.
    ///
    /// - Returns: Whether the commit was made. If not, a transaction must make the change.
    func commitConfirmation(of mutation: PendingMutation, in cache: FlatCache) -> Bool

    /// Adds a layer with the change.
    func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache)

    /// Removes the layer.
    func remove(from transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache)

    /// Keeps the entity in memory, unless it remains there.
    func hold(in cache: FlatCache) -> (any ErasedHeldEntities)?

    /// Makes the change to the confirmed entity, in the transaction of the calling thread, and removes the layer, unless it waits
    /// for those of earlier mutations.
    func confirm(_ mutation: PendingMutation, in cache: FlatCache)

    /// Ends the confirmation after the answer is stored, in the transaction of the calling thread.
    func endConfirmation(in cache: FlatCache)
}

/// What a step does with the entity of a key.
@usableFromInline
enum StepKind: Sendable {
    /// It changes what is stored, under the current identifier.
    case change
    /// It removes what is stored, under the current identifier.
    case removal
    /// It shows what delete rules make of an entity. When the mutation is confirmed, the removal applies the rules itself.
    case consequence
    /// It stores an entity.
    case storing
    /// It stores an entity with an identifier that the server replaces.
    case insertion
}

/// The changes of a mutation.
///
/// Most mutations have one, which takes no array.
@frozen @usableFromInline
enum MutationSteps: RandomAccessCollection, Sendable {
    case one(any MutationStep)
    case several([any MutationStep])

    @usableFromInline var startIndex: Int { 0 }

    @usableFromInline var endIndex: Int {
        switch self {
        case .one: 1
        case .several(let steps): steps.count
        }
    }

    @inlinable subscript(place: Int) -> any MutationStep {
        switch self {
        case .one(let step): step
        case .several(let steps): steps[place]
        }
    }
}
