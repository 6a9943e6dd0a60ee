import FlatCache

/// A test's code that runs when something of the user's is used or released.
final class Hook: Sendable {
    @TaskLocal private static var isRunning = false
    private let action = Protected(Action())
    private let events = Protected<Set<Event>>([])

    enum Event: CaseIterable, Sendable {
        case hash, equality, readID, releaseID, releaseValue, releaseError, releaseFetcher, releaseCallback
    }

    /// A closure alone would be wrapped once more each time that it is read through a generic variable.
    private struct Action: Sendable {
        var run: (@Sendable (Event) -> Void)?
    }

    /// What has happened until now.
    var seen: Set<Event> { events.withLock { $0 } }

    /// What to do; what that does is no reason to do it again.
    func set(_ action: (@Sendable (Event) -> Void)?) {
        // What the last one holds is released when the lock is open.
        let last = self.action.withLock { current in
            defer { current = Action(run: action) }
            return current
        }
        withExtendedLifetime(last) {}
    }

    func run(_ event: Event) {
        guard !Self.isRunning, let action = action.withLock({ $0.run }) else { return }
        events.withLock { _ = $0.insert(event) }
        Self.$isRunning.withValue(true) { action(event) }
    }
}

/// Something of the user's whose release runs the hook.
final class Hooked: Sendable, Error {
    private let hook: Hook
    private let event: Hook.Event

    init(_ hook: Hook, _ event: Hook.Event) {
        self.hook = hook
        self.event = event
    }

    deinit {
        hook.run(event)
    }
}

/// An entity that runs a hook when it is released, or its identifier read, hashed, compared or released.
struct HookedEntity: Cachable {
    private let storedID: Identifier
    /// Computed, as one of a user's may be.
    var id: Identifier {
        hook.run(.readID)
        return storedID
    }
    var count = 0
    private let hook: Hook
    private let token: Hooked

    init(_ number: Int, count: Int = 0, _ hook: Hook) {
        storedID = Identifier(number, hook)
        self.hook = hook
        self.count = count
        token = Hooked(hook, .releaseValue)
    }

    final class Identifier: Hashable, Sendable {
        let number: Int
        private let hook: Hook

        init(_ number: Int, _ hook: Hook) {
            self.number = number
            self.hook = hook
        }

        deinit {
            hook.run(.releaseID)
        }

        static func == (lhs: Identifier, rhs: Identifier) -> Bool {
            lhs.hook.run(.equality)
            return lhs.number == rhs.number
        }

        func hash(into hasher: inout Hasher) {
            hook.run(.hash)
            hasher.combine(number)
        }
    }
}
