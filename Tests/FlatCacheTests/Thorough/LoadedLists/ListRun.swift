import SeededRandom

@testable import FlatCache

/// A list, its server, and those who wait for pages.
final class ListRun {
    struct Waiter {
        let task: Task<Void, Never>
        let outcome: Protected<Result<Bool, any Error>?>
        /// The number of the call.
        var call: UInt64?
        var isCancelled = false
    }

    let clock = ManualClock()
    let cache: FlatCache
    let list: CachedList<Clip>
    let server: GrowingServer
    /// Whether cursors are identifiers, and so no post is raised or comes later.
    let hasIDCursors: Bool
    var random: SeededGenerator
    var waiters: [Waiter] = []
    /// What pages have brought, and what the app has removed at some time.
    var brought: Set<Int> = []
    var removed: Set<Int> = []
    /// The mutations that have not ended.
    var mutations: [RunningMutation] = []
    var faults: [String] = []
    /// What was done.
    var log: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        cache = FlatCache(clock: clock)
        list = cache.list("home", of: Clip.self, dropsRemoved: seed % 2 == 0)
        let server = GrowingServer(count: random.below(9), pageSize: 1 + random.below(4))
        self.server = server
        hasIDCursors = seed % 3 == 0
        if hasIDCursors {
            list.setLoader(cursorAfter: { $0 }, cursorBefore: { $0 }) { try await server.page(for: $0) }
        } else {
            list.setLoader { try await server.page(for: $0) }
        }
    }

    var loader: ListLoader<Clip> { cache.listLoaders.loader(of: list) }

    /// Does steps until something is wrong.
    func run() async throws {
        for _ in 0..<60 {
            await step()
            guard check() else { return }
        }
        try await finish()
    }

    /// Fills a gap, from above or from below.
    func fill() async {
        let (ids, gaps) = (Array(list.ids), list.gaps)
        guard !gaps.isEmpty else { return }
        let gap = random.pick(from: gaps)
        let below = ids.firstIndex(of: gap).flatMap { $0 + 1 < ids.count ? ids[$0 + 1] : nil }
        if let below, random.below(2) == 0 {
            await begin("fill above \(below)") { try await $0.loadPrevious(before: below) }
        } else {
            await begin("fill below \(gap)") { try await $0.loadMore(after: gap) }
        }
    }

    /// Makes a change on the server.
    func changeServer() {
        let ids = server.ids
        switch random.below(3) {
        case 0 where !ids.isEmpty: server.remove(random.pick(from: ids))
        case 1 where !ids.isEmpty && !hasIDCursors: server.raise(random.pick(from: ids))
        default: server.grow(random.below(6))
        }
        log.append("the server has \(server.ids)")
    }

    func step() async {
        switch random.below(22) {
        case 0..<2: changeServer()
        case 2..<4: await begin("refresh above") { try await $0.refresh(.insertAbove) }
        case 4:
            let joining: ListJoining = random.below(4) == 0 ? .replace : .insertAbove
            if random.below(4) == 0 {
                let id = random.below(server.ids.count + 1)
                await begin("refresh around \(id)") { try await $0.refresh(around: id) }
            } else {
                await begin("refresh \(joining)") { try await $0.refresh(joining) }
            }
        case 5: await begin("load more") { try await $0.loadMore() }
        case 6: await begin("load previous") { try await $0.loadPrevious() }
        case 7..<9: await fill()
        case 9:
            if random.below(2) == 0 { list.invalidate() }
            await begin("load") { list in
                try await list.load(.cacheFirst.replacingNewerWrites(), .insertAbove)
                return false
            }
        case 10..<14:
            guard let call = server.waiting.randomElement(using: &random) else { return }
            await answer(call)
        case 14: if let call = server.waiting.randomElement(using: &random) { await fail(call) }
        case 15: if !waiters.isEmpty { await cancel(random.below(waiters.count)) }
        case 16..<20: await change()
        case 20: mutate()
        default: if !mutations.isEmpty { await endMutation(random.below(mutations.count)) }
        }
    }

    /// Makes a change of the app.
    func change() async {
        switch random.below(9) {
        case 0..<2:
            server.grow(1)
            list.prepend(Clip(id: server.ids[0]))
        case 2..<7:
            guard !list.isEmpty else { return }
            // The last entity above a gap, or any.
            let gaps = list.gaps
            let id = !gaps.isEmpty && random.below(2) == 0 ? random.pick(from: gaps) : random.pick(from: list.ids)
            // What a mutation has added is shown until it ends.
            if mutations.contains(where: { $0.id == id }) { return }
            removed.insert(id)
            if random.below(2) == 0 { list.remove(id) } else { remove(id) }
        // A gap goes with the entity before it, also if the server has raised or removed it.
        case 7: if list.gaps.count < 2, server.raised.isEmpty { list.update { $0.sort(by: >) } }
        default:
            if random.below(4) != 0 { return }
            removed.formUnion(list.ids)
            list.removeAll()
            brought = []
            for waiter in await settle() where (try? waiter.outcome.withLock { try $0?.get() }) != false {
                faults.append("Those who wait receive a page of a list without entities")
            }
        }
        log.append("change to \(Array(list.ids)), gaps \(list.gaps)")
    }

    func remove(_ id: Int) {
        cache.remove(Clip.self, id: id)
        if cache.contains(Clip.self, id: id) { faults.append("\(id) wasn't removed") }
    }

    /// Asks for a page, and waits until it waits for a call or has returned.
    func begin(_ name: String, _ body: @escaping @Sendable (CachedList<Clip>) async throws -> Bool) async {
        let before = loader.waiterCounts
        let outcome = Protected<Result<Bool, any Error>?>(nil)
        let task = Task { [list] in
            let result: Result<Bool, any Error>
            do { result = .success(try await body(list)) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
        }
        var now = before
        _ = await eventually {
            now = loader.waiterCounts
            return now != before || outcome.withLock { $0 != nil }
        }
        var call = now.first { before[$0.key] != $0.value }?.key
        waiters.append(Waiter(task: task, outcome: outcome, call: call))
        let ended = await settle()
        // Those who waited for a call of before an invalidation wait for the new one, or for another page, which isn't known.
        let running = loader.waiterCounts
        let begun = running.filter { before[$0.key] != $0.value }
        if let only = begun.first?.key { call = begun.count == 1 ? only : nil }
        for place in waiters.indices
        where waiters[place].call.map({ running[$0] == nil || begun.count > 1 && begun[$0] != nil }) ?? false {
            waiters[place].call = call
        }
        if let sent = server.waiting.last, running.count > before.count, hasIDCursors { checkCursor(of: sent.request) }
        log.append("\(name): call \(call.map(String.init) ?? "none")")
        for waiter in ended {
            // A refresh has ended the others, or there was nothing to load.
            if waiter.call == call, call != nil { faults.append("\(name) has ended") }
            if (try? waiter.outcome.withLock { try $0?.get() }) != false { faults.append("\(name) has ended another") }
        }
    }

    func answer(_ call: GrowingServer.Call) async {
        clock.advance(by: .seconds(1))
        server.answer(call)
        let ended = await settle()
        let outcomes = ended.map { waiter in try? waiter.outcome.withLock { try $0?.get() } }
        if outcomes.contains(nil) || ended.isEmpty || Set(ended.compactMap { $0.call }).count > 1 {
            faults.append("An answer has failed")
        }
        // A load returns nothing.
        if outcomes.contains(true) || list.age == .zero {
            brought.formUnion(call.ids)
            checkPage(call)
        }
        log.append("answer \(call.ids) to \(call.request): \(Array(list.ids)), gaps \(list.gaps)")
    }

    func fail(_ call: GrowingServer.Call) async {
        server.fail(call)
        for waiter in await settle() {
            guard case .failure(let error) = waiter.outcome.withLock({ $0 }), error is RejectedError else {
                faults.append("A failure isn't thrown")
                continue
            }
        }
        if list.error as? RejectedError == nil { faults.append("An error isn't shown") }
        log.append("failure")
    }

    func cancel(_ place: Int) async {
        waiters[place].isCancelled = true
        waiters[place].task.cancel()
        await waiters[place].task.value
        for waiter in await settle() {
            guard waiter.isCancelled, case .failure(let error) = waiter.outcome.withLock({ $0 }),
                error is CancellationError
            else {
                faults.append("A cancellation ends another")
                continue
            }
        }
        log.append("cancellation")
    }

    /// Waits until nothing happens any more.
    ///
    /// - Returns: Those who don't wait any more.
    func settle() async -> [Waiter] {
        let isSettled = await eventually {
            let (nodes, count) = loader.running
            let waiting = waiters.filter { waiter in waiter.outcome.withLock { $0 == nil } }
            // A call that has ended may still wait for the server while the call that has ended it doesn't yet.
            return waiting.count == count && Set(server.waiting.map { $0.node }) == nodes
                && list.isLoading == !nodes.isEmpty
        }
        if !isSettled { faults.append("Something doesn't end") }
        let ended = waiters.filter { waiter in waiter.outcome.withLock { $0 != nil } }
        waiters.removeAll { waiter in waiter.outcome.withLock { $0 != nil } }
        return ended
    }
}

extension ListLoader {
    /// The nodes of the calls that have not ended, and the number of those who wait.
    fileprivate var running: (nodes: Set<ObjectIdentifier?>, waiterCount: Int) {
        lock.withLock {
            (Set(calls.values.map { ObjectIdentifier($0.node) }), calls.values.reduce(0) { $0 + $1.waiterCount })
        }
    }
}
