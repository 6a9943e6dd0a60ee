import FlatCache

extension ModelRunner {
    /// Begins and ends observation.
    func observe(_ operation: ModelOperation) {
        switch operation {
        case .observe(let key, let script):
            subscribe(.oneKey, [key], script, isInitial: true) { number in
                subject.observe(key) { self.notified(number, $0) }
            }
        case .observeMany(let keys, let script):
            subscribe(.severalKeys, keys, script, isInitial: false) { number in
                subject.observeMany(keys) { self.notified(number, $0) }
            }
        case .observeHandle(let number, let script):
            guard let handle = handle(number) else { return }
            subscribe(.oneKey, [handle.key], script, isInitial: false) { number in
                handle.onChange { self.notified(number, $0) }
            }
        case .observeDerived(let expression, let script): observeDerived(expression, script)
        case .cancel(let number): end(Self.index(number, in: subscriptions)) { $0.cancel() }
        case .releaseSubscription(let number): end(Self.index(number, in: subscriptions)) { _ in }
        case .cancelSelf:
            note(.callbackCancelledItself, if: !calling.isEmpty)
            end(subscriptions.firstIndex { $0.observer == calling.last }) { $0.cancel() }
        default: break
        }
    }

    private func subscribe(
        _ form: ModelObserver.Form,
        _ keys: [ModelKey],
        _ script: ModelScript,
        isInitial: Bool,
        _ action: (Int) -> CacheSubscription?
    ) {
        guard subscriptions.count < 12 else { return }
        let number = model.observers.count
        model.observers.append(ModelObserver(form, ModelKeys(keys), script, isInitial: isInitial))
        guard let subscription = action(number) else { return }
        checkNotified([number])
        subscriptions.append((subscription, number))
    }

    private func end(_ index: Int?, _ action: (CacheSubscription) -> Void) {
        guard let index else { return }
        let (subscription, number) = subscriptions.remove(at: index)
        let observer = model.observers[number]
        note(.callbackCancelledOneThatWaits, if: observer.isDue && !observer.isCalling && !calling.isEmpty)
        action(subscription)
        model.observers[number].cancel()
    }

    // MARK: Callbacks

    private func observeDerived(_ expression: ModelExpression, _ script: ModelScript) {
        guard subscriptions.count < 12 else { return }
        let number = model.observers.count
        model.observers.append(ModelObserver(.derived, script, ModelDerived(expression, model.committed)))
        let subscription = subject.observeDerived(expression) {
            self.compute(number, expression)
        } _: {
            self.notified(number, $0)
        }
        checkNotified([number])
        subscriptions.append((subscription, number))
    }

    private func notified(_ number: Int, _ value: [Int?]) {
        guard begin(number), let derived = model.observers[number].derived else { return }
        check(value, is: derived.current, "the notification of observer \(number)")
        note(.derivedCommitsWereFolded, if: model.observers[number].pendingCommits > 1)
        model.observers[number].derived?.last = value
        call(number, 0)
    }

    private func notified(_ number: Int, _ change: NotifiedChange) {
        guard begin(number) else { return }
        let observer = model.observers[number]
        if observer.isInitial {
            checkInitial(change, of: observer)
        } else if let pending = observer.pending.first {
            check(
                change,
                is: NotifiedChange(pending, revision: change.revision),
                "the notification of observer \(number)"
            )
            checkRevision(change.revision, of: observer.possibleCommits)
        }
        check(
            observer.lastRevision.map { $0 < change.revision } ?? true,
            "observer \(number) was notified of revision \(change.revision) after \(observer.lastRevision ?? 0)"
        )
        call(number, change.revision)
    }

    private func notified(_ number: Int, _ changes: NotifiedChanges) {
        guard begin(number) else { return }
        let observer = model.observers[number]
        let expected = NotifiedChanges(observer.pending, revision: changes.revision)
        check(changes, is: expected, "the notification of observer \(number)")
        checkRevision(changes.revision, of: observer.possibleCommits)
        check(
            observer.lastRevision.map { $0 <= changes.revision } ?? true,
            "observer \(number) was notified of revision \(changes.revision) after \(observer.lastRevision ?? 0)"
        )
        call(number, changes.revision)
    }

    /// Checks that a call may be made.
    private func begin(_ number: Int) -> Bool {
        let observer = model.observers[number]
        check(observer.isActive, "observer \(number) was called after it was cancelled")
        check(!observer.isCalling, "observer \(number) was called from within itself")
        check(observer.isDue || failure != nil, "observer \(number) was called without a pending change")
        return failure == nil
    }

    private func checkInitial(_ change: NotifiedChange, of observer: ModelObserver) {
        guard let key = observer.keys.elements.first else { return }
        let expected = NotifiedChange(
            .initial,
            key,
            value: model.committed[key.index],
            oldValue: nil,
            revision: change.revision
        )
        check(change, is: expected, "the initial state")
        // The cache may have forgotten when it removed what isn't there.
        if change.revision == 0 && expected.value == nil { return }
        checkRevision(change.revision, of: model.lastChange[key.index]...model.lastWrite[key.index])
    }

    /// Runs what the callback does.
    private func call(_ number: Int, _ revision: UInt64) {
        note(.commitsWereFolded, if: model.observers[number].pendingCommits > 1)
        note(.callbackRanInBodyOfTransaction, if: model.isSomewhereInTransaction)
        note(.callbackRanInBodyOfRead, if: model.isSomewhereInSnapshot)
        _ = model.observers[number].take()
        model.observers[number].lastRevision = revision
        model.observers[number].isCalling = true
        model.observers[number].calls += 1
        calling.append(number)
        outsideOfBodies { companion?.outsideOfBodies { runScript(of: model.observers[number]) } }
        calling.removeLast()
        model.observers[number].isCalling = false
    }

    /// Runs what is in no transaction or read of the cache, whatever is running around it.
    private func outsideOfBodies(_ action: () -> Void) {
        let scopes = model.scopes.count
        model.push(.current)
        action()
        model.popScopes(to: scopes)
    }

    private func runScript(of observer: ModelObserver) {
        let script = observer.script
        let runs = scriptRuns[script.number, default: 0]
        guard observer.calls > script.firstCall, runs < ModelScript.limit else { return }
        guard remainingCallbackOperations > 0 else { return }
        scriptRuns[script.number] = runs + 1
        remainingCallbackOperations -= script.operations.count
        do { try run(script.operations) } catch {
            check(error is Thrown, "\(error) was thrown")
        }
    }

    // MARK: Revisions

    /// Checks that a revision is that of one of several commits.
    func checkRevision(_ revision: UInt64, of commits: ClosedRange<Int>) {
        while revisions.count <= model.commitCount { revisions.append(0) }
        if commits.count == 1 && revisions[commits.lowerBound] == 0 { revisions[commits.lowerBound] = revision }
        let known = revisions[commits].filter { $0 != 0 }
        check(known.count < commits.count || known.contains(revision), "revision \(revision) is not among \(known)")
        let earlier = revisions[..<commits.lowerBound].last { $0 != 0 }
        let later = revisions[(commits.upperBound + 1)...].first { $0 != 0 }
        check(earlier.map { $0 < revision } ?? true, "revision \(revision) is not after \(earlier ?? 0)")
        check(later.map { $0 > revision } ?? true, "revision \(revision) is not before \(later ?? 0)")
    }
}
