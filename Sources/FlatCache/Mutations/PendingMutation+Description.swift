extension PendingMutation: CustomStringConvertible, CustomReflectable {
    /// A line with the name, the keys and the state: `Mutation<Void>("like"): Blog.Post("1"), sending`.
    ///
    /// - Complexity: O(*n*) on average for *n* changed keys.
    public var description: String {
        let (state, keys) = reference.object?.withoutWatching { (self.state, self.keys) } ?? (state, [])
        let name = storedName.map { String(reflecting: $0) }
        return Summary.line(
            typeName,
            name,
            [keys.isEmpty ? nil : FlatCacheKey.list(keys, limit: 3), state.description]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:], ancestorRepresentation: .suppressed) }
}

extension PendingMutation.State: CustomStringConvertible {
    /// The state in words: `sending`, or `failed: ` with the error.
    public var description: String {
        switch self {
        case .waiting: "waiting"
        case .sending: "sending"
        case .confirmed: "confirmed"
        case .failed(let error): "failed: \(error)"
        case .dropped(let error): "dropped: \(error)"
        }
    }
}
