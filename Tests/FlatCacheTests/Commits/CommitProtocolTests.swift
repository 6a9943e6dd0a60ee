import Testing

@Suite("The commit protocol, in every order of its steps")
struct CommitProtocolTests {
    /// Threads that meet in few keys.
    static let programs: [[CommitProtocol.Work]] = [
        [.commit([0]), .commit([0]), .read([0, 0])],
        [.commit([0, 1]), .commit([1]), .read([0, 1]), .gets([0, 1])],
        [.commit([0]), .commit([0]), .read([0]), .read([0])],
        [.largeCommit([0, 1]), .commit([1]), .read([0, 1])],
        [.largeCommit([0, 1]), .commit([0]), .gets([1, 0]), .gets([0, 1])],
        [.largeCommit([0, 1]), .largeCommit([0, 1]), .read([0, 1])],
        [.commit([0]), .largeCommit([0, 1]), .read([1, 0]), .gets([0, 1])],
        [.commit([0]), .commit([1]), .commit([0]), .read([0]), .read([])],
        [.largeCommit([1, 0]), .commit([0]), .read([0, 1]), .read([])],
        [.transaction(reads: [0], writes: [1]), .largeCommit([0, 1]), .read([0, 1])],
        [.transaction(reads: [0], writes: [1]), .transaction(reads: [1], writes: [0]), .commit([0])],
        [.transaction(reads: [0, 1], writes: [0]), .largeCommit([0, 1])],
    ]

    /// Runs threads in every order.
    ///
    /// - Returns: The first thing that went wrong, and the number of states.
    func explore(_ start: CommitProtocol) -> (complaint: String?, states: Int) {
        var visited: Set<CommitProtocol> = [start]
        var open = [start]
        while let state = open.popLast() {
            if let complaint = state.complaint { return (complaint, visited.count) }
            let next = state.threads.indices.compactMap(state.stepped)
            if next.isEmpty {
                guard state.isFinished else { return ("all threads wait", visited.count) }
                if state.keys.contains(where: { !$0.versions.isEmpty || $0.isRegistered }) {
                    return ("a version is kept for nobody", visited.count)
                }
            }
            for state in next where visited.insert(state).inserted { open.append(state) }
        }
        return (nil, visited.count)
    }

    @Test("No order shows half commits, loses what snapshots show, or waits for ever (S1, S2, S3)", arguments: programs)
    func everyOrder(program: [CommitProtocol.Work]) {
        let (complaint, states) = explore(CommitProtocol(keys: 2, program))
        #expect(complaint == nil)
        #expect(states > 50)
    }

    @Test("A broken protocol is found out", arguments: CommitProtocol.Fault.allCases)
    func plantedFaults(fault: CommitProtocol.Fault) {
        let complaints = Self.programs.lazy.compactMap { explore(CommitProtocol(keys: 2, $0, fault: fault)).complaint }
        #expect(complaints.first != nil)
    }
}
