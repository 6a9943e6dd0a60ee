import FlatCache

extension ModelRunner {
    /// Begins and ends observation.
    func observe(_ operation: ModelOperation) {
        switch operation {
        case .observe(let key, let script):
            subscribe(.oneKey, [key], script, isInitial: true) { number in
                subject.observe(key) { self.told(number, $0) }
            }
        case .observeMany(let keys, let script):
            subscribe(.severalKeys, keys, script, isInitial: false) { number in
                subject.observeMany(keys) { self.told(number, $0) }
            }
        case .observeHandle(let number, let script):
            guard let handle = handle(number) else { return }
            subscribe(.oneKey, [handle.key], script, isInitial: false) { number in
                handle.onChange { self.told(number, $0) }
            }
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
        checkTold([number])
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

    private func told(_ number: Int, _ change: ToldChange) {
        guard begin(number) else { return }
        let observer = model.observers[number]
        checkRevision(change.revision, of: observer, number) { $0 < $1 }
        if observer.isInitial {
            checkInitial(change, of: observer)
            call(number, nil)
        } else {
            let mail = observer.possibleMail.first { mail, _ in
                mail.changes.first.map { ToldChange($0, revision: change.revision) } == change
                    && isPossible(change.revision, of: mail.possibleCommits)
            }
            check(mail != nil, "observer \(number) was told \(change) instead of \(observer.possibleChanges)")
            call(number, mail)
        }
    }

    private func told(_ number: Int, _ changes: ToldChanges) {
        guard begin(number) else { return }
        let observer = model.observers[number]
        checkRevision(changes.revision, of: observer, number) { $0 <= $1 }
        let mail = observer.possibleMail.first { mail, _ in
            ToldChanges(mail, revision: changes.revision) == changes
                && isPossible(changes.revision, of: mail.possibleCommits)
        }
        check(mail != nil, "observer \(number) was told \(changes) instead of \(observer.possibleChanges)")
        call(number, mail)
    }

    /// Checks that a call may be made.
    private func begin(_ number: Int) -> Bool {
        let observer = model.observers[number]
        check(observer.isActive, "observer \(number) was called after it was cancelled")
        check(!observer.isCalling, "observer \(number) was called from within itself")
        let mayBeCalled = observer.isInitial || !observer.possibleMail.isEmpty
        check(mayBeCalled, "observer \(number) was called without anything to tell")
        return failure == nil
    }

    private func checkInitial(_ change: ToldChange, of observer: ModelObserver) {
        guard let key = observer.keys.elements.first else { return }
        let expected = ToldChange(
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

    /// Checks the order of what an observer is told.
    private func checkRevision(
        _ revision: UInt64,
        of observer: ModelObserver,
        _ number: Int,
        _ isOrdered: (UInt64, UInt64) -> Bool
    ) {
        let last = observer.lastRevision
        check(
            last.map { isOrdered($0, revision) } ?? true,
            "observer \(number) was told revision \(revision) after \(last ?? 0)"
        )
        model.observers[number].lastRevision = revision
    }

    /// Runs what the callback does.
    ///
    /// - Parameter told: What is told; `nil` for the initial state.
    private func call(_ number: Int, _ told: (mail: ModelMail, waitingCount: Int)?) {
        if let mail = told?.mail {
            note(.commitsWereFolded, if: mail.foldCount > mail.changes.count)
            learn(model.observers[number].lastRevision ?? 0, of: mail.possibleCommits)
        }
        note(.callbackRanInBodyOfTransaction, if: model.isSomewhereInTransaction)
        note(.callbackRanInBodyOfRead, if: model.isSomewhereInSnapshot)
        model.observers[number].take(told?.waitingCount)
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
        check(isPossible(revision, of: commits), "revision \(revision) is not that of commit \(commits)")
        learn(revision, of: commits)
    }

    /// Whether a revision can be that of one of several commits, after all that is known of revisions.
    private func isPossible(_ revision: UInt64, of commits: ClosedRange<Int>) -> Bool {
        while revisions.count <= model.commitCount { revisions.append(0) }
        let known = revisions[commits].filter { $0 != 0 }
        let earlier = revisions[..<commits.lowerBound].last { $0 != 0 }
        let later = revisions[(commits.upperBound + 1)...].first { $0 != 0 }
        return (known.count < commits.count || known.contains(revision))
            && earlier.map { $0 < revision } ?? true
            && later.map { $0 > revision } ?? true
    }

    private func learn(_ revision: UInt64, of commits: ClosedRange<Int>) {
        if commits.count == 1 { revisions[commits.lowerBound] = revision }
    }
}
