/// When a mutation is sent, if others are pending.
public enum MutationOrder: Hashable, Sendable {
    /// At once.
    case concurrent
    /// After all earlier mutations with the same key have ended.
    case serial(String)
    /// After the mutation with the same key that is being sent has ended. It replaces those that aren't sent yet.
    ///
    /// Use it for changes that set a value, such as the text of a draft. A change that depends on the value before, such as an
    /// increment, would be lost with the mutation that is replaced.
    case latest(String)

    /// The key of mutations that wait for each other.
    var key: String? {
        switch self {
        case .concurrent: nil
        case .serial(let key), .latest(let key): key
        }
    }
}
