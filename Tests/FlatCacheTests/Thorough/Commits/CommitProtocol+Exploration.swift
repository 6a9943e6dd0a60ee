extension CommitProtocol {
    /// Runs the threads in every order.
    ///
    /// - Returns: The first thing that went wrong, and the number of states.
    func explore() -> (complaint: String?, states: Int) {
        var visited: Set<CommitProtocol> = [self]
        var open = [self]
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
}
