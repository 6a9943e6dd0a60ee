import SeededRandom
import Testing

@testable import FlatCache

/// Random calls of a list that overlap and are answered in any order, cancellations, and changes by the app, compared with what
/// the server has.
///
/// `FLATCACHE_LISTS=10000 swift test --filter ListPropertyTests` tries more.
@Suite("Random pages of a list")
struct ListPropertyTests {
    @Test(
        "What is listed without a gap between has nothing missing, and in the end the list is that of the server",
        arguments: Seeds.first(60, full: 2_000, orAsIn: "FLATCACHE_LISTS")
    )
    func pages(seed: UInt64) async throws {
        let run = ListRun(seed: seed)
        try await run.run()
        #expect(run.faults.isEmpty, "FLATCACHE_SEED=\(seed) replays \(run.log.joined(separator: "\n"))")
    }
}

/// A list, its server, and those who wait for pages.
private final class ListRun {
    private struct Waiter {
        let task: Task<Void, Never>
        let outcome: Protected<Result<Bool, any Error>?>
        /// The number of the call.
        let call: UInt64?
        var isCancelled = false
    }

    private let clock = ManualClock()
    private let cache: FlatCache
    private let list: CachedList<Clip>
    private let server: GrowingServer
    private var random: SeededGenerator
    private var waiters: [Waiter] = []
    /// What pages have brought, and what the app has removed at some time.
    private var brought: Set<Int> = []
    private var removed: Set<Int> = []
    private(set) var faults: [String] = []
    /// What was done.
    private(set) var log: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        cache = FlatCache(clock: clock)
        list = cache.list("home", of: Clip.self, dropsRemoved: seed % 2 == 0)
        let server = GrowingServer(count: random.below(9), pageSize: 1 + random.below(4))
        self.server = server
        list.setLoader { try await server.page(after: $0) }
    }

    private var loader: ListLoader<Clip> { cache.listLoaders.loader(of: list) }

    /// Does steps until something is wrong.
    func run() async throws {
        for _ in 0..<60 {
            await step()
            guard check() else { return }
        }
        try await finish()
    }

    private func step() async {
        switch random.below(20) {
        case 0..<2: server.grow(random.below(6))
        case 2..<4: await begin("refresh above") { try await $0.refresh(.insertAbove) }
        case 4:
            let joining: ListJoining = random.below(4) == 0 ? .replace : .insertAbove
            await begin("refresh \(joining)") { try await $0.refresh(joining) }
        case 5..<7: await begin("load more") { try await $0.loadMore() }
        case 7..<9:
            let gaps = list.gaps
            guard !gaps.isEmpty else { return }
            let gap = random.pick(from: gaps)
            await begin("fill \(gap)") { try await $0.loadMore(after: gap) }
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
        default: await change()
        }
    }

    /// Makes a change of the app.
    private func change() async {
        switch random.below(9) {
        case 0..<2:
            server.grow(1)
            list.prepend(Clip(id: server.ids[0]))
        case 2..<7:
            guard !list.isEmpty else { return }
            // The last entity above a gap, or any.
            let gaps = list.gaps
            let id = !gaps.isEmpty && random.below(2) == 0 ? random.pick(from: gaps) : random.pick(from: list.ids)
            removed.insert(id)
            if random.below(2) == 0 { list.remove(id) } else { remove(id) }
        case 7: list.update { $0.sort(by: >) }
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

    private func remove(_ id: Int) {
        cache.remove(Clip.self, id: id)
        if cache.contains(Clip.self, id: id) { faults.append("\(id) wasn't removed") }
    }

    /// Asks for a page, and waits until it waits for a call or has returned.
    private func begin(_ name: String, _ body: @escaping @Sendable (CachedList<Clip>) async throws -> Bool) async {
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
        let call = now.first { before[$0.key] != $0.value }?.key
        waiters.append(Waiter(task: task, outcome: outcome, call: call))
        let ended = await settle()
        log.append("\(name): call \(call.map(String.init) ?? "none")")
        for waiter in ended {
            // A refresh has ended the others, or there was nothing to load.
            if waiter.call == call, call != nil { faults.append("\(name) has ended") }
            if (try? waiter.outcome.withLock { try $0?.get() }) != false { faults.append("\(name) has ended another") }
        }
    }

    private func answer(_ call: GrowingServer.Call) async {
        clock.advance(by: .seconds(1))
        server.answer(call)
        let ended = await settle()
        let outcomes = ended.map { waiter in try? waiter.outcome.withLock { try $0?.get() } }
        if outcomes.contains(nil) || Set(ended.map { $0.call }).count != 1 { faults.append("An answer has failed") }
        // A load returns nothing.
        if outcomes.contains(true) || list.age == .zero { brought.formUnion(call.ids) }
        log.append("answer \(call.ids) after \(call.cursor ?? .max): \(Array(list.ids)), gaps \(list.gaps)")
    }

    private func fail(_ call: GrowingServer.Call) async {
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

    private func cancel(_ place: Int) async {
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
    private func settle() async -> [Waiter] {
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

    /// Whether nothing is wrong.
    private func check() -> Bool {
        let (ids, gaps) = (Array(list.ids), list.gaps)
        if Set(ids).count != ids.count { faults.append("An entity is listed twice") }
        if Set(gaps).count != gaps.count || !gaps.allSatisfy(ids.contains) { faults.append("There are other gaps") }
        var above: Int?
        var hasGap = false
        for id in ids {
            if brought.contains(id) {
                if let above, above <= id { faults.append("\(above) is before \(id)") }
                if let above, above > id, !hasGap, !removed.isSuperset(of: id + 1..<above) {
                    faults.append("Something between \(above) and \(id) is missing")
                }
                above = id
                hasGap = false
            }
            if gaps.contains(id) { hasGap = true }
        }
        if !list.hasMore, !hasGap, let above, !removed.isSuperset(of: 0..<above) { faults.append("The end is missing") }
        return faults.isEmpty
    }

    /// Ends all calls, and loads what is missing.
    private func finish() async throws {
        while let call = server.waiting.first { await answer(call) }
        server.answersAtOnce()
        try await list.refresh(.insertAbove)
        for _ in 0..<500 {
            if let gap = list.gaps.first {
                try await list.loadMore(after: gap)
            } else if list.hasMore {
                try await list.loadMore()
            }
        }
        let ids = Array(list.ids)
        if !list.gaps.isEmpty || list.hasMore || list.isLoading { faults.append("The end isn't reached") }
        let areAll = Set(ids).isSubset(of: server.ids) && removed.union(ids).isSuperset(of: server.ids)
        if !areAll || ids != ids.sorted(by: >) {
            faults.append("\(ids) is listed in the end")
        }
    }
}

extension ListLoader {
    /// The number of those who wait, by the number of the call.
    var waiterCounts: [UInt64: Int] {
        lock.withLock { Dictionary(uniqueKeysWithValues: calls.values.map { ($0.number, $0.waiterCount) }) }
    }

    /// The nodes of the calls that have not ended, and the number of those who wait.
    fileprivate var running: (nodes: Set<ObjectIdentifier?>, waiterCount: Int) {
        lock.withLock {
            (Set(calls.values.map { ObjectIdentifier($0.node) }), calls.values.reduce(0) { $0 + $1.waiterCount })
        }
    }
}

/// A server with posts from the newest to the first, in pages, which are those of the time of the request.
private final class GrowingServer: Sendable {
    struct Call {
        let number: Int
        /// The node of the loader's call.
        let node: ObjectIdentifier?
        let cursor: Int?
        let ids: [Int]
        let next: Int?
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var count: Int
        var calls: [Call] = []
        var lastNumber = 0
        var cancelled: Set<Int> = []
        var answersAtOnce = false
    }

    private let state: Protected<State>
    private let pageSize: Int

    init(count: Int, pageSize: Int) {
        state = Protected(State(count: count))
        self.pageSize = pageSize
    }

    var ids: [Int] { state.withLock { (0..<$0.count).reversed() } }

    /// The calls without an answer, in the order in which they began.
    var waiting: [Call] { state.withLock { $0.calls } }

    func grow(_ count: Int) { state.withLock { $0.count += count } }

    func answersAtOnce() { state.withLock { $0.answersAtOnce = true } }

    func answer(_ call: Call) {
        remove(call)
        call.continuation.resume()
    }

    func fail(_ call: Call) {
        remove(call)
        call.continuation.resume(throwing: RejectedError())
    }

    private func remove(_ call: Call) { state.withLock { $0.calls.removeAll { $0.number == call.number } } }

    func page(after cursor: Int?) async throws -> ListPage<Clip, Int> {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let rest = ids.filter { $0 < cursor ?? .max }
        let page = Array(rest.prefix(pageSize))
        let next = rest.count > page.count ? page.last : nil
        let node = FetchGraphNode.current.map { ObjectIdentifier($0) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    if state.answersAtOnce { return .success(()) }
                    state.calls.append(
                        Call(
                            number: number,
                            node: node,
                            cursor: cursor,
                            ids: page,
                            next: next,
                            continuation: continuation
                        )
                    )
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let call = state.withLock { state in
                state.cancelled.insert(number)
                return state.calls.firstIndex { $0.number == number }.map { state.calls.remove(at: $0) }
            }
            call?.continuation.resume(throwing: CancellationError())
        }
        return ListPage(page.map { Clip(id: $0) }, next: next)
    }
}
