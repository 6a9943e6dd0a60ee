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
            case .elsewhere(let operations): operations
            case .observe(_, let script), .observeMany(_, let script), .observeHandle(_, let script),
                .observeDerived(_, let script):
                script.operations
            default: []
            }
        }
        set {
            switch self {
            case .update(var update):
                update.body.operations = newValue
                self = .update(update)
            case .elsewhere: self = .elsewhere(newValue)
            case .transaction(let body): self = .transaction(body.with(newValue))
            case .read(let body): self = .read(body.with(newValue))
            case .observe(let key, let script): self = .observe(key, script.with(newValue))
            case .observeMany(let keys, let script): self = .observeMany(keys, script.with(newValue))
            case .observeHandle(let number, let script): self = .observeHandle(number, script.with(newValue))
            case .observeDerived(let expression, let script): self = .observeDerived(expression, script.with(newValue))
            default: break
            }
        }
    }
}

extension ModelOperation {
    /// The number of the handle, subscription or iterator that the operation is about.
    var number: Int? {
        get {
            switch self {
            case .readHandle(let number), .writeHandle(let number, _, _), .releaseHandle(let number),
                .observeHandle(let number, _), .cancel(let number), .releaseSubscription(let number),
                .next(let number), .releaseIterator(let number):
                number
            case .update(let update):
                if case .handle(let number) = update.target { number } else { nil }
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .readHandle: self = .readHandle(newValue)
            case .writeHandle(_, let content, let other): self = .writeHandle(newValue, content: content, number: other)
            case .releaseHandle: self = .releaseHandle(newValue)
            case .observeHandle(_, let script): self = .observeHandle(newValue, script)
            case .cancel: self = .cancel(newValue)
            case .releaseSubscription: self = .releaseSubscription(newValue)
            case .next: self = .next(newValue)
            case .releaseIterator: self = .releaseIterator(newValue)
            case .update(var update):
                update.target = .handle(newValue)
                self = .update(update)
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
