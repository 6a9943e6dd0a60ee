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

    @Test("No order shows half commits, loses what snapshots show, or waits for ever (S1, S2, S3)", arguments: programs)
    func everyOrder(program: [CommitProtocol.Work]) {
        let (complaint, states) = CommitProtocol(keys: 2, program).explore()
        #expect(complaint == nil)
        #expect(states > 50)
    }
}
