/// The reason why a mutation has no effect, or none on one of its keys.
public enum MutationError: Error, Sendable {
    /// The mutation was cancelled before it was sent, or its transaction has thrown.
    case cancelled
    /// A newer mutation with the same key and ``MutationOrder/latest(_:)`` has replaced the mutation before it was sent.
    case replaced
    /// All entities were removed before the answer came.
    case removed
    /// Another process that writes into the same store has begun the mutation again and ended it.
    case endedElsewhere
    /// No entity is stored under the key, so there is nothing to change.
    case missing(FlatCacheKey)
    /// The closure has changed the identifier of the entity, which isn't allowed.
    case changedIdentifier(FlatCacheKey)
    /// The mutation wasn't sent, because the insertion of an entity that it changes has failed.
    case insertionFailed(FlatCacheKey, any Error)
    /// The server has confirmed the insertion of the entity, and it isn't known which entity of the server that is, so the entity is
    /// dropped.
    ///
    /// It is one of the ``PendingMutation/problems`` of a mutation that is confirmed. The next refresh brings the
    /// server's entity. To keep the inserted one until then, use ``MutationChanges/insert(temporary:matching:)``.
    case unidentified(FlatCacheKey)
    /// The mutation wasn't sent, because the entity that it changes was removed with another one, to which it refers.
    ///
    /// A delete rule (``Cachable/deleteRules``) has removed it before it was confirmed.
    case entityRemoved(FlatCacheKey)
    /// The closure that sends a mutation would wait for another mutation, with these keys, that is sent after it.
    ///
    /// Both would wait forever. The wait throws this error instead. A wait by a child task of the closure, or by a
    /// fetch or a loader for which the closure waits, isn't recognized: it never ends, nor does the closure.
    case cyclic([FlatCacheKey])
    /// The cache of the handle is deallocated.
    case cacheGone(FlatCacheKey)
}

extension MutationError: CustomStringConvertible {
    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .cancelled:
            "The mutation was cancelled, so its changes are dropped. Begin it again if it is wanted"
        case .replaced:
            """
            A newer mutation of the same order has replaced this one before it was sent. Use '.serial' for mutations that must \
            all be sent
            """
        case .removed:
            """
            All entities were removed while the mutation was pending, so its changes and its answer are dropped. Begin it again \
            if it is wanted
            """
        case .endedElsewhere:
            "Another process that writes into the store has begun the mutation again and ended it. Its result is in the store"
        case .missing(let key): "No entity is stored under \(key), so the mutation changes nothing there"
        case .insertionFailed(let key, let error):
            "The mutation was not sent, because the insertion of \(key) has failed: \(error)"
        case .unidentified(let key):
            """
            The server has confirmed the insertion of \(key) without telling its identifier, so the entity is dropped until the \
            server sends it. Return the entity from 'send', or name a property that the server returns unchanged by 'matching'
            """
        case .entityRemoved(let key):
            """
            The mutation was not sent, because \(key) was removed with an entity that it refers to, by a delete rule. Begin it \
            again with another one to refer to, if it is wanted
            """
        case .cyclic(let keys):
            """
            A 'send' closure waits for the mutation of \(keys.map { "\($0)" }.joined(separator: ", ")), which is sent after it: \
            the two would wait for each other. Wait after 'send' has returned, or give the mutations other orders
            """
        case .cacheGone(let key):
            """
            \(key) can't be changed, because the cache of its handle is deallocated. Keep the cache for as long as its handles \
            are used
            """
        case .changedIdentifier(let key):
            """
            The closure of a mutation has changed the identifier of \(key). The change is left out. To store another entity, \
            use 'set' in the closure of 'mutate'
            """
        }
    }
}
