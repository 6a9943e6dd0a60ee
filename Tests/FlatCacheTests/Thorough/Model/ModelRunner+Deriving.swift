extension ModelRunner {
    /// What a closure computes, run by the cache.
    func compute(_ number: Int, _ expression: ModelExpression) -> [Int?] {
        let observer = model.observers[number]
        check(observer.isActive, "the closure of observer \(number) ran after it was cancelled")
        check(!observer.isCalling, "the closure of observer \(number) ran while that was being called")
        if let ranAt = observer.derived?.ranAt {
            check(observer.newestCommit > ranAt, "the closure of observer \(number) ran without a reason")
        }
        model.observers[number].run(on: model.committed, commitCount: model.commitCount)
        note(.derivedReadOthers, if: observer.derived?.ranAt != nil && observer.keys != model.observers[number].keys)
        note(.derivedWasEqual, if: observer.derived?.isNew == false)
        if case .name = expression { note(.nameFollowedEntity, if: observer.derived?.ranAt != nil) }
        return expression.value(in: ModelCacheSource(subject: subject))
    }

    /// Changes a list.
    func changeList(_ number: Int, _ change: ModelListChange) {
        let key = ModelKey(.named, number)
        let order = ModelNamed.numbers(of: model.readForUpdate(key))
        let (changed, result) = change.apply(to: order)
        note(.listKeptPlaces, if: change.entities.contains { order.contains($0.key.number) })
        note(.listWasReordered, if: changed != order && changed.sorted() == order.sorted())
        note(.listChangedInTransaction, if: model.transaction != nil)
        let entities = change.entities.map(ModelWrite.init(incoming:))
        // What leaves the order as it is may be a commit or not.
        let isWritten = changed != order || change.mayWriteEqual
        let writes = entities + (isWritten ? [ModelWrite(key, ModelNamed.content(of: changed))] : [])
        writing(model.write(writes)) {
            check(subject.changeList(number, change), is: result, "what was there in list \(number)")
        }
    }

    /// Changes a name.
    func changeName(_ number: Int, _ change: ModelNameChange) {
        let key = ModelKey(.named, number)
        let observers: [Int]
        if let target = change.target {
            observers = model.write(
                (change.entity.map { [ModelWrite(incoming: $0)] } ?? []) + [ModelWrite(key, target)]
            )
        } else {
            observers = model.remove(key).observers
        }
        writing(observers) { subject.changeName(number, change) }
    }

    /// Checks that exactly those keys are watched that somebody watches.
    func checkDependencies() {
        guard failure == nil, model.observers.contains(where: { $0.isActive && $0.derived != nil }) else { return }
        let watched = model.observers.filter(\.isActive).reduce(ModelKeys()) { $0.union($1.derived?.keys ?? $1.keys) }
        for kind in ModelKind.entities {
            let expected = kind.keys.elements.filter(watched.contains).count
            let possible = kind.keys.elements.filter(watched.union(trackedKeys).contains).count
            let actual = subject.slotCounts(kind).observed
            check(
                (expected...possible).contains(actual),
                "\(actual) keys of \(kind) are watched instead of \(expected)"
            )
        }
    }
}
