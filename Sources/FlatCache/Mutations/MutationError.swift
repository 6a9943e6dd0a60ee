/// The reason why a mutation has no effect, or none on one of its keys.
public enum MutationError: Error, Sendable {
    /// The mutation was cancelled before it was sent.
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
}

extension MutationError: CustomStringConvertible {
    /// A message that describes the problem and the remedy.
    public var description: String {
        switch self {
        case .cancelled: "The mutation was cancelled before it was sent"
        case .replaced: "A newer mutation of the same order has replaced this one before it was sent"
        case .removed: "All entities were removed while the mutation was pending"
        case .endedElsewhere: "Another process has ended the mutation"
        case .missing(let key): "No entity is stored under \(key), so the mutation changes nothing there"
        case .insertionFailed(let key, let error):
            "The mutation was not sent, because the insertion of \(key) has failed: \(error)"
        case .changedIdentifier(let key):
            """
            The closure of a mutation has changed the identifier of \(key). The change is left out. To store another entity, \
            use 'set' in the closure of 'mutate'
            """
        }
    }
}
