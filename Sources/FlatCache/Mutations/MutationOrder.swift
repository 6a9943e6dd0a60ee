/// When a mutation is sent, if others are pending.
///
/// In each order, a mutation is sent after the insertions have ended that have begun before it: of what it changes, of what its entities
/// refer to by annotated relationships, and of what it adds to lists and references.
///
/// A mutation whose `send` has returned doesn't hold up others that only follow it, also if it ends later because the server sends by
/// another way what it has changed.
public enum MutationOrder: Hashable, Sendable {
    /// After the mutations of the same entities that have begun before have ended; this is the default.
    ///
    /// So the server receives the changes of an entity in the order in which they were made. Mutations of different
    /// entities don't wait for each other, nor do those that only change the same list or reference. A mutation that a
    /// `send` closure begins doesn't wait for this closure.
    case byEntity
    /// At once.
    case concurrent
    /// After all earlier mutations with the same key have ended, and those of the same entities.
    case serial(String)
    /// After the mutation with the same key that is being sent has ended, and those of the same entities. It replaces those with
    /// the key that aren't sent yet.
    ///
    /// Use it for changes that set a value, such as the text of a draft. A change that depends on the value before, such as an
    /// increment, would be lost with the mutation that is replaced.
    ///
    /// `latest` and `serial` with the same text have the same key.
    case latest(String)

    /// The key of mutations that wait for each other.
    var key: String? {
        switch self {
        case .byEntity, .concurrent: nil
        case .serial(let key), .latest(let key): key
        }
    }
}
