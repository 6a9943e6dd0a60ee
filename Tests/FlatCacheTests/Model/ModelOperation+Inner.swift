extension ModelOperation {
    /// The number of several operations and of all inside them.
    static func count(of operations: [ModelOperation]) -> Int {
        operations.reduce(0) { $0 + 1 + count(of: $1.inner) }
    }

    /// The operations inside this one: of a body, or of what a callback does.
    var inner: [ModelOperation] {
        get {
            switch self {
            case .update(let update): update.body.operations
            case .transaction(let body), .read(let body): body.operations
            case .observe(_, let script), .observeMany(_, let script), .observeHandle(_, let script): script.operations
            default: []
            }
        }
        set {
            switch self {
            case .update(var update):
                update.body.operations = newValue
                self = .update(update)
            case .transaction(let body): self = .transaction(body.with(newValue))
            case .read(let body): self = .read(body.with(newValue))
            case .observe(let key, let script): self = .observe(key, script.with(newValue))
            case .observeMany(let keys, let script): self = .observeMany(keys, script.with(newValue))
            case .observeHandle(let number, let script): self = .observeHandle(number, script.with(newValue))
            default: break
            }
        }
    }
}

extension ModelBody {
    fileprivate func with(_ operations: [ModelOperation]) -> ModelBody {
        var copy = self
        copy.operations = operations
        return copy
    }
}

extension ModelScript {
    fileprivate func with(_ operations: [ModelOperation]) -> ModelScript {
        var copy = self
        copy.operations = operations
        return copy
    }
}
