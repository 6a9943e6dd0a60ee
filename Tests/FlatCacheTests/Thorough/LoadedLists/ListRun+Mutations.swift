import SeededRandom

@testable import FlatCache

/// A mutation that the server has not answered.
struct RunningMutation {
    let mutation: Mutation<Void>
    let answer = ManualAnswer<Void>()
    /// The post that it adds or removes.
    let id: Int
    let isRemoval: Bool

    init(_ id: Int, isRemoval: Bool, _ begin: (ManualAnswer<Void>) -> Mutation<Void>) {
        self.id = id
        self.isRemoval = isRemoval
        mutation = begin(answer)
    }
}

/// Mutations that add and remove posts while pages are loaded.
extension ListRun {
    /// The posts that aren't shown because of mutations.
    var pendingRemovals: Set<Int> { Set(mutations.filter(\.isRemoval).map(\.id)) }

    /// Begins a mutation.
    func mutate() {
        if random.below(2) == 0 {
            guard !hasIDCursors else { return }
            let id = server.reserve()
            mutations.append(
                RunningMutation(id, isRemoval: false) { [cache, list, server] answer in
                    cache.mutate {
                        $0.set(Clip(id: id))
                        $0.prepend(id, to: list)
                    } send: { _ in
                        try await answer()
                        server.add(id)
                    }
                }
            )
        } else if !list.isEmpty {
            let id = random.pick(from: list.ids)
            // One that a mutation has added waits for it.
            if mutations.contains(where: { $0.id == id }) { return }
            mutations.append(
                RunningMutation(id, isRemoval: true) { [cache, list, server] answer in
                    cache.mutate {
                        $0.remove(Clip.self, id: id)
                        $0.remove(id, from: list)
                    } send: { _ in
                        try await answer()
                        server.remove(id)
                    }
                }
            )
        }
        log.append("mutation to \(Array(list.ids)), gaps \(list.gaps)")
    }

    /// Confirms or refuses a mutation.
    func endMutation(_ place: Int) async {
        let running = mutations.remove(at: place)
        if random.below(3) == 0 { running.answer.fail() } else { running.answer.succeed() }
        let isConfirmed = await running.mutation.ended()
        log.append("mutation confirmed: \(isConfirmed), list \(Array(list.ids)), gaps \(list.gaps)")
    }
}
