/// What must happen before a mutation is sent, and what is sent after it.
///
/// The lock of mutations guards it.
struct MutationGate {
    /// Whether the layers are there.
    var isReady = false
    /// Whether nothing with the same key of ``MutationOrder`` is to be sent before.
    var isDue = false
    /// The mutations that must end before this one is sent, which keep it until then.
    var obstacles: Set<ObjectIdentifier> = []
    /// The insertions without which the mutation can't be sent.
    var needed: Set<ObjectIdentifier> = []
    /// The mutations that are sent after this one, or `nil` after it has ended.
    var followers: [PendingMutation]? = []

    /// Whether others must end before.
    var isBlocked: Bool { !obstacles.isEmpty }

    var isOpen: Bool { isReady && isDue && obstacles.isEmpty }
}

extension PendingMutation {
    /// Notes that the layers are there, so that the mutation can be sent.
    ///
    /// - Parameter isFirst: Whether nothing is to be sent before.
    /// - Returns: Whether it is to be sent now, or `nil` if it has ended.
    func becomeReady(isFirst: Bool) -> Bool? {
        PendingMutation.lock.withLock {
            if isOver { return nil }
            gate.isReady = true
            if isFirst { gate.isDue = true }
            return gate.isOpen
        }
    }

    /// Notes that nothing is to be sent before.
    ///
    /// - Returns: Whether it is to be sent now. If not, its layers aren't there yet.
    func becomeDue() -> Bool {
        PendingMutation.lock.withLock {
            gate.isDue = true
            return gate.isOpen
        }
    }

    /// Lets the mutation be sent after another one has ended, unless that has.
    ///
    /// - Parameters:
    ///   - other: The other mutation.
    ///   - isNeeded: Whether the other one inserts what this one changes or names, so that this one fails if that does.
    func wait(for other: PendingMutation, isNeeded: Bool = false) {
        PendingMutation.lock.withLock {
            if isNeeded { gate.needed.insert(ObjectIdentifier(other)) }
            guard other.gate.followers != nil, gate.obstacles.insert(ObjectIdentifier(other)).inserted else { return }
            other.gate.followers?.append(self)
        }
        refuseCircles()
    }

    /// Whether it waits for others that must end before it is sent.
    var isWaiting: Bool { PendingMutation.lock.withLock { gate.isBlocked } }

    /// Whether the mutation was begun while another one was sent, which may wait for it.
    func isBegun(in other: PendingMutation) -> Bool { outer.map { $0 === other || $0.isBegun(in: other) } ?? false }

    /// Whether the mutation can't be sent without an insertion.
    func needs(_ insertion: PendingMutation) -> Bool {
        PendingMutation.lock.withLock { gate.needed.contains(ObjectIdentifier(insertion)) }
    }

    /// Notes that a mutation has ended for which this one waits.
    ///
    /// - Returns: Whether this one is to be sent now.
    func doesNotWait(for other: PendingMutation) -> Bool {
        PendingMutation.lock.withLock {
            gate.obstacles.remove(ObjectIdentifier(other))
            return gate.isOpen
        }
    }

    /// Removes and returns the mutations that are sent after this one and don't need what it inserts, because the server has confirmed
    /// it.
    func takeIndependentFollowers() -> [PendingMutation] {
        PendingMutation.lock.withLock {
            let all = gate.followers ?? []
            let needing = all.filter { $0.gate.needed.contains(ObjectIdentifier(self)) }
            if gate.followers != nil { gate.followers = needing }
            return all.filter { !$0.gate.needed.contains(ObjectIdentifier(self)) }
        }
    }

    /// Removes and returns the mutations that wait for this one, because it has ended.
    func takeFollowers() -> [PendingMutation] {
        PendingMutation.lock.withLock {
            defer { gate.followers = nil }
            return gate.followers ?? []
        }
    }
}
