extension ModelRunner {
    /// Writes without a body.
    func write(_ operation: ModelOperation) {
        switch operation {
        case .set(let entity):
            writing(model.write([entity])) { subject.set(entity) }
        case .setMany(let kind, let entities):
            writing(model.write(entities)) { subject.setMany(kind, entities) }
        case .remove(let key):
            let (content, observers) = model.remove(key)
            writing(observers) { check(subject.remove(key), is: content, "what was removed") }
        case .removeAll:
            writing(model.removeAll(.all)) { subject.removeAll() }
        case .removeAllOf(let kind):
            writing(model.removeAll(kind.keys)) { subject.removeAll(kind) }
        default: break
        }
    }

    func writing(_ observers: [Int], _ action: () -> Void) {
        note(.callbackWrote, if: !calling.isEmpty && !observers.isEmpty)
        note(.equalWriteWasSilent, if: observers.contains { !model.observers[$0].isDue })
        action()
        checkNotified(observers)
    }

    /// Compares what the running code reads.
    func read(_ operation: ModelOperation) {
        note(.readShowedOldState, if: model.isInSnapshot && model.read(ModelKeys()) != model.committed)
        switch operation {
        case .get(let key):
            check(subject.get(key), is: model.read(key), "\(key) as read here")
        case .getAll:
            checkContents(model.read(.all))
        case .getMany(let kind, let numbers):
            let expected = keys(kind, numbers).compactMap(entity)
            check(subject.getMany(kind, numbers), is: expected, "\(kind) \(numbers)")
        case .contains(let key):
            check(subject.contains(key), is: model.read(key) != nil, "contains \(key)")
        case .missing(let kind, let numbers):
            let expected = keys(kind, numbers).filter { model.read($0) == nil }
            check(subject.missing(kind, numbers), is: expected, "missing of \(kind) \(numbers)")
        case .counts: checkCounts()
        case .allValues(let kind):
            let actual = subject.allValues(kind).sorted { $0.key.index < $1.key.index }
            check(actual, is: entities(kind), "all of \(kind)")
        case .allKeys(let kind):
            let actual = subject.allKeys(kind).sorted { $0.index < $1.index }
            check(actual, is: entities(kind).map(\.key), "all keys of \(kind)")
        default: break
        }
    }

    private func checkCounts() {
        let counts = ModelKind.entities.map { entities($0).count }
        check(subject.counts(), is: [counts.reduce(0, +)] + counts, "counts")
    }

    private func keys(_ kind: ModelKind, _ numbers: [Int]) -> [ModelKey] { numbers.map { ModelKey(kind, $0) } }

    private func entity(_ key: ModelKey) -> ModelEntity? {
        model.read(key).map { ModelEntity(key: key, content: $0) }
    }

    private func entities(_ kind: ModelKind) -> [ModelEntity] {
        let state = model.read(kind.keys)
        return kind.keys.elements.compactMap { key in state[key.index].map { ModelEntity(key: key, content: $0) } }
    }

    /// Makes, uses and releases handles.
    func useHandle(_ operation: ModelOperation) {
        switch operation {
        case .makeHandle(let key):
            guard handles.count < 8 else { return }
            let made = subject.handle(key)
            for handle in handles {
                check(made.isEqual(to: handle), is: handle.key == key, "handles of \(key) and \(handle.key) are equal")
            }
            handles.append(made)
        case .readHandle(let number):
            guard let handle = handle(number) else { return }
            trackedKeys.insert(handle.key)
            note(.handleWasReadInTransaction, if: model.transaction?.written.contains(handle.key) == true)
            check(handle.content, is: model.read(handle.key), "handle of \(handle.key)")
        case .writeHandle(let number, let content, let other):
            guard let handle = handle(number) else { return }
            let key = other.map { ModelKey(handle.key.kind, $0) } ?? handle.key
            let entity = content.map { ModelEntity(key: key, content: $0) }
            let isAccepted = entity == nil || key == handle.key
            let observers = isAccepted ? entity.map { model.write([$0]) } ?? model.remove(handle.key).observers : []
            writing(observers) { check(handle.write(entity), is: isAccepted, "writing to a handle") }
        case .releaseHandle(let number):
            if let index = Self.index(number, in: handles) { handles.remove(at: index) }
        default: break
        }
    }

    func handle(_ number: Int) -> ModelHandle? { Self.index(number, in: handles).map { handles[$0] } }

    /// The index that a number in an operation means.
    static func index<Element>(_ number: Int, in elements: [Element]) -> Int? {
        elements.isEmpty ? nil : number % elements.count
    }
}
