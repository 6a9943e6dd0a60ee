extension ModelRunner {
    /// Makes and releases iterators.
    func iterate(_ operation: ModelOperation) {
        switch operation {
        case .iterateValues(let key):
            add(.values, [key]) { subject.iterateValues(key) }
        case .iterateChanges(let keys):
            add(.changes, keys) { subject.iterateChanges(keys) }
        case .iterateDerived(let expression):
            guard iterators.count < 4 else { return }
            let number = model.observers.count
            model.observers.append(ModelObserver(.derivedValues, .none, ModelDerived(expression, model.committed)))
            iterators.append((subject.iterateDerived { self.compute(number, expression) }, number))
        case .releaseIterator(let number):
            guard let index = Self.index(number, in: iterators) else { return }
            model.observers[iterators.remove(at: index).observer].cancel()
        default: break
        }
    }

    private func add(_ form: ModelObserver.Form, _ keys: [ModelKey], _ make: () -> ModelIterator) {
        guard iterators.count < 4 else { return }
        model.observers.append(ModelObserver(form, ModelKeys(keys), .none, isInitial: form == .values))
        iterators.append((make(), model.observers.count - 1))
    }

    /// Takes what waits for an iterator.
    ///
    /// Where nothing does, `next` would wait, and isn't called.
    func next(_ number: Int) async {
        guard let index = Self.index(number, in: iterators) else { return }
        let (iterator, number) = iterators[index]
        let observer = model.observers[number]
        guard observer.isInitial || observer.derived?.isNew ?? !observer.pending.isEmpty else { return }
        let element = await iterator.next()
        _ = model.observers[number].take()
        let newest = observer.keys.elements.first.flatMap { model.committed[$0.index] }
        switch (observer.form, element) {
        case (.derivedValues, _):
            let current = observer.derived?.current ?? []
            check(element, is: .derived(current), "next of iterator \(number)")
            model.observers[number].derived?.last = current
            note(.iteratorTookDerived)
        case (.values, _):
            check(element, is: .value(newest), "next of iterator \(number)")
        case (_, .changes(let changes)):
            check(
                changes,
                is: NotifiedChanges(observer.pending, revision: changes.revision),
                "next of iterator \(number)"
            )
            checkRevision(changes.revision, of: observer.possibleCommits)
            note(.iteratorTookChanges)
        default:
            check(false, "iterator \(number) has ended")
        }
    }
}
