import FlatCache

/// Runs a sequence of operations on a cache and on the model, and compares them after every step.
///
/// The model goes first: when a write calls observers, it knows their notifications already.
final class ModelRunner: @unchecked Sendable {  // Callbacks capture it; all of them run inside of calls of one task.
    let subject: ModelSubject
    /// What runs operations on the other cache; for that, the first.
    private(set) var companion: ModelRunner?
    var model = CacheModel()
    /// The first thing that was not as the model says; nothing is compared after it.
    private(set) var failure: String?

    var handles: [ModelHandle] = []
    var subscriptions: [(subscription: CacheSubscription, observer: Int)] = []
    var iterators: [(iterator: ModelIterator, observer: Int)] = []
    /// The observers whose callbacks are running, the innermost last.
    var calling: [Int] = []
    /// How often each script has run.
    var scriptRuns: [Int: Int] = [:]
    /// How many operations callbacks may still run in this step.
    var remainingCallbackOperations = 0
    /// The revisions of the commits, by their numbers, as far as observers were notified of them; 0 for the others.
    var revisions: [UInt64] = [0]
    /// The keys whose handles were read: these may be observed a moment longer than the handle lives, on the main actor.
    var trackedKeys = ModelKeys()

    /// What has happened.
    private(set) var events: Set<ModelEvent> = []

    init(_ subject: ModelSubject) {
        self.subject = subject
    }

    private convenience init(companionOf first: ModelRunner) {
        self.init(ModelSubject())
        companion = first
    }

    /// What a sequence throws out of bodies.
    struct Thrown: Error {}

    /// Ends a body that would run for ever.
    struct Endless: Error {}

    /// Runs a sequence.
    ///
    /// - Returns: What went wrong and where, or `nil`.
    static func run(_ operations: [ModelOperation], on subject: ModelSubject) async -> String? {
        await ModelRunner(subject).runAll(operations)
    }

    /// Runs a sequence, once.
    func runAll(_ operations: [ModelOperation]) async -> String? {
        let companion = ModelRunner(companionOf: self)
        self.companion = companion
        defer {
            releaseAll()
            companion.releaseAll()
            self.companion = nil
        }
        for (number, operation) in operations.enumerated() {
            await FlatCache.withCurrent(subject.cache) { await step(operation) }
            // It takes as long as several steps.
            if number % 8 == 7 || number == operations.count - 1 { checkDependencies() }
            if let failure { return "step \(number + 1): \(failure)" }
        }
        for runner in [self, companion] {
            runner.checkState()
            runner.checkEverything()
            runner.releaseAll()
            runner.checkNothingIsLeft()
        }
        return failure
    }

    private func step(_ operation: ModelOperation) async {
        remainingCallbackOperations = 100
        companion?.remainingCallbackOperations = 100
        if case .next(let number) = operation {
            await next(number)
        } else {
            do { try perform(operation) } catch {
                check(error is Thrown, "\(error) was thrown")
            }
        }
        checkState()
        for runner in [self, companion].compactMap({ $0 }) {
            check(runner.model.scopes.isEmpty, "a body has not ended")
            runner.checkNotified(Array(runner.model.observers.indices))
        }
    }

    /// Runs operations until one throws.
    func run(_ operations: [ModelOperation]) throws {
        for operation in operations where failure == nil { try perform(operation) }
    }

    private func perform(_ operation: ModelOperation) throws {
        switch operation {
        case .set, .setMany, .remove, .removeAll, .removeAllOf: write(operation)
        case .changeList(let number, let change): changeList(number, change)
        case .changeName(let number, let change): changeName(number, change)
        case .get, .getAll, .getMany, .contains, .missing, .counts, .allValues, .allKeys: read(operation)
        case .makeHandle, .readHandle, .writeHandle, .releaseHandle: useHandle(operation)
        case .observe, .observeMany, .observeHandle, .observeDerived, .cancel, .releaseSubscription, .cancelSelf:
            observe(operation)
        case .iterateValues, .iterateChanges, .iterateDerived, .next, .releaseIterator: iterate(operation)
        case .update(let update): try self.update(update)
        case .transaction(let body): try catching(body) { try transaction(body.operations) }
        case .read(let body): try catching(body) { try snapshot(body.operations) }
        case .elsewhere(let operations): try elsewhere(operations)
        case .fail: throw Thrown()
        }
    }

    private func elsewhere(_ operations: [ModelOperation]) throws {
        note(.otherCacheInTransaction, if: model.transaction != nil)
        try companion?.run(operations)
    }

    /// Runs something that has a body, and catches what the body throws if that is what it does.
    func catching(_ body: ModelBody, _ action: () throws -> Void) throws {
        do { try action() } catch {
            guard body.catches, error is Thrown else { throw error }
        }
    }

    func note(_ event: ModelEvent, if condition: Bool = true) {
        if condition { events.insert(event) }
    }

    // MARK: Comparing

    func check(_ condition: Bool, _ message: @autoclosure () -> String) {
        guard failure == nil && !condition else { return }
        failure = message()
        companion?.failure = failure
    }

    func check<Value: Equatable>(_ actual: Value, is expected: Value, _ name: @autoclosure () -> String) {
        check(actual == expected, "\(name()) is \(actual) instead of \(expected)")
    }

    /// Compares what is stored.
    private func checkState() {
        checkContents(model.committed)
    }

    /// Compares all that is stored, as the running code reads it.
    func checkContents(_ expected: CacheModel.State) {
        for kind in ModelKind.allCases {
            check(subject.contents(kind), is: Array(expected[kind.indices]), "what is stored of \(kind)")
        }
    }

    private func checkEverything() {
        read(.counts)
        for kind in ModelKind.entities {
            read(.allValues(kind))
            read(.allKeys(kind))
        }
    }

    /// Checks that observers have been notified of everything, unless they are being called.
    ///
    /// A callback's own writes notify when it has returned; then all observers are checked.
    func checkNotified(_ observers: [Int]) {
        guard calling.isEmpty, companion?.calling.isEmpty != false else { return }
        for number in observers where failure == nil {
            let observer = model.observers[number]
            check(
                !observer.isDue || observer.isCalling,
                "observer \(number) was not notified of \(observer.isInitial ? "the initial state" : "\(observer.pending)")"
            )
        }
    }

    /// Releases whatever the sequence has made; the callbacks among it refer to the runner.
    private func releaseAll() {
        handles = []
        subscriptions = []
        iterators = []
        for number in model.observers.indices { model.observers[number].cancel() }
    }

    /// Checks that nothing needs a slot any more but what is stored.
    private func checkNothingIsLeft() {
        for kind in ModelKind.entities {
            let (all, observed) = subject.slotCounts(kind)
            let tracked = kind.keys.elements.filter(trackedKeys.contains)
            let stored = kind.keys.elements.filter { model.committed[$0.index] != nil }
            check(all <= ModelKeys(stored + tracked).elements.count, "\(all) slots are left for \(stored)")
            check(observed <= tracked.count, "\(observed) slots are observed by nobody")
        }
    }
}
