import SeededRandom
import Testing

@testable import FlatCache

/// Random mutations, pushes, removals and pages of a server whose postings are the truth.
///
/// `FLATCACHE_SERVERS=10000` tries more.
@Suite("Random servers")
struct RandomServerTests {
    @Test(
        "What is sent is neither lost nor shown twice, and in the end the cache has what the server has",
        arguments: Seeds.first(60, full: 2_000, orAsIn: "FLATCACHE_SERVERS")
    )
    func sequences(seed: UInt64) async {
        await Posting.$hasVersions.withValue(seed % 2 == 0) {
            var random = SeededGenerator(seed: seed)
            var run = ServerRun(pushesAll: seed % 3 != 0, seed)
            for step in 0..<60 { await run.makeStep(&random, step) }
            await run.end(&random)
        }
    }
}

/// A cache and its server.
private struct ServerRun {
    private let cache = FlatCache()
    private let home: CachedList<Posting>
    private let server = TruthServer()
    /// Whether the server pushes each change.
    private let pushesAll: Bool
    private let seed: UInt64
    private var begun: [PendingMutation] = []
    private var loadCount = 0
    private let loaded = Protected(0)
    /// The keys of inserted postings that readers must see.
    private var alive: Set<String> = []
    private var count = 0
    private var context = ""

    init(pushesAll: Bool, _ seed: UInt64) {
        self.pushesAll = pushesAll
        self.seed = seed
        home = cache.list("home", of: Posting.self, dropsRemoved: true)
        home.setLoader { [server] (request: ListPageRequest<Posting, String>) in
            guard case .page(let page, let next, let previous) = try await server.send(.page(request)) else {
                throw RejectedError()
            }
            return ListPage(page, next: next, previous: previous)
        }
    }

    private var keys: [String] { cache.allValues(of: Posting.self).compactMap(\.clientKey) }

    private func anyID(_ random: inout SeededGenerator) -> String? {
        let ids = cache.allValues(of: Posting.self).map(\.id).sorted()
        return ids.isEmpty ? nil : ids[random.below(ids.count)]
    }

    mutating func makeStep(_ random: inout SeededGenerator, _ step: Int) async {
        let kind = random.below(20)
        context = "seed \(seed), step \(step), kind \(kind)"
        var mayLose = false
        switch kind {
        case 0..<4: insert(&random)
        case 4, 5: like(&random)
        case 6: edit(&random)
        case 7:
            remove(&random)
            mayLose = true
        case 8..<12: mayLose = receive(&random)
        case 12..<15: mayLose = answer(&random)
        case 15:
            let sent = server.sent
            if !sent.isEmpty {
                let call = sent[random.below(sent.count)]
                server.lose(call)
                mayLose = true
            }
        case 16, 17: mayLose = change(&random)
        default: await load(&random)
        }
        await settle()
        check(mayLose: mayLose)
    }

    // MARK: The app

    private mutating func insert(_ random: inout SeededGenerator) {
        count += 1
        let draft = Posting(
            id: "t\(count)",
            clientKey: "k\(count)",
            parentID: random.below(2) == 0 ? anyID(&random) : nil
        )
        let hasAnswer = random.below(3) > 0
        let home = home
        let changes: (inout MutationChanges) -> Void = { change in
            change.insert(temporary: draft, matching: \.clientKey)
            change.prepend(draft.id, to: home)
        }
        let send: @Sendable (MutationContext) async throws -> TruthServer.Response = { [server] context in
            try await server.send(.create(context.entity(Posting.self, id: draft.id)))
        }
        if hasAnswer {
            begun.append(
                cache.mutate(changes) { context -> Posting in
                    guard case .posting(let posting) = try await send(context) else { throw RejectedError() }
                    return posting
                }
            )
        } else {
            begun.append(cache.mutate(changes) { context in _ = try await send(context) })
        }
        alive.insert(draft.clientKey ?? "")
    }

    private mutating func like(_ random: inout SeededGenerator) {
        guard let id = anyID(&random) else { return }
        let handle = Cached(Posting.self, id: id, in: cache)
        let change: @Sendable (inout Posting) -> Void = {
            $0.likes += 1
            $0.isLiked = true
            // The device invents a version.
            $0.version += 1_000
        }
        if random.below(2) == 0 {
            begun.append(
                handle.mutate(change) { [server] sent -> Posting in
                    guard case .posting(let posting) = try await server.send(.like(sent.id)) else {
                        throw RejectedError()
                    }
                    return posting
                }
            )
        } else {
            begun.append(handle.mutate(change) { [server] sent in _ = try await server.send(.like(sent.id)) })
        }
    }

    private mutating func edit(_ random: inout SeededGenerator) {
        guard let id = anyID(&random) else { return }
        count += 1
        let text = "edit \(count)"
        begun.append(
            cache.mutate(Posting.self, id: id) {
                $0.text = text
                $0.version += 1_000
            } send: { [server] sent in
                _ = try await server.send(.edit(sent.id, sent.text))
            }
        )
    }

    private mutating func remove(_ random: inout SeededGenerator) {
        guard let id = anyID(&random) else { return }
        begun.append(
            cache.mutate {
                $0.remove(Posting.self, id: id)
            } send: { [server] context in
                _ = try await server.send(.delete(context.currentID(of: Posting.self, id)))
            }
        )
    }

    private mutating func load(_ random: inout SeededGenerator) async {
        let open = server.openCount
        let (home, kind) = (home, random.below(4))
        let around = anyID(&random)
        let before = loaded.withLock { $0 }
        loadCount += 1
        Task { [loaded] in
            switch kind {
            case 0: _ = try? await home.refresh(.insertAbove)
            case 1: _ = try? await home.loadMore()
            case 2: _ = try? await home.loadPrevious()
            default:
                if let around, Int(around) != nil {
                    _ = try? await home.refresh(around: around)
                } else {
                    _ = try? await home.refresh(.insertAbove)
                }
            }
            loaded.withLock { $0 += 1 }
        }
        // It joins one that runs already, has nothing to load, or asks the server.
        var turns = 0
        while server.openCount == open, loaded.withLock({ $0 }) == before, turns < 200 {
            await Task.yield()
            turns += 1
        }
    }

    // MARK: The server

    private mutating func receive(_ random: inout SeededGenerator) -> Bool {
        let sent = server.sent
        if sent.isEmpty { return false }
        let call = sent[random.below(sent.count)]
        let changed = server.receive(call)
        if pushesAll || random.below(2) == 0 { push(changed) }
        if case .delete = call.request { return true }
        return false
    }

    private mutating func change(_ random: inout SeededGenerator) -> Bool {
        let ids = server.all.map(\.id)
        var changed: [String] = []
        let kind = random.below(5)
        if kind < 2 || ids.isEmpty {
            count += 1
            let parent = ids.isEmpty || random.below(2) == 0 ? nil : ids[random.below(ids.count)]
            changed = server.create(Posting(id: "", text: "other \(count)", parentID: parent)).map { [$0] } ?? []
        } else {
            let id = ids[random.below(ids.count)]
            switch kind {
            case 2: changed = server.delete(id)
            case 3: server.change(id) { $0.likes += 1 }
            default: server.change(id) { [count] in $0.text = "other \(count)" }
            }
            if kind != 2 { changed = [id] }
        }
        if pushesAll || random.below(2) == 0 { push(changed) }
        return kind == 2
    }

    private func push(_ ids: [String]) {
        for id in ids {
            if let posting = server.postings[id] {
                cache.transaction {
                    cache.set(posting)
                    home.prepend(ids: [id])
                }
            } else {
                cache.remove(Posting.self, id: id)
            }
        }
    }

    /// Answers a request.
    ///
    /// - Returns: Whether the server has refused it, has deleted something, or doesn't have any more what it has answered.
    private mutating func answer(_ random: inout SeededGenerator) -> Bool {
        if server.arrived.isEmpty { return false }
        let place = random.below(server.arrived.count)
        let (call, response) = server.arrived[place]
        server.answer(place)
        if case .failure = response { return true }
        if case .delete = call.request { return true }
        if case .success(.posting(let posting)) = response { return server.postings[posting.id] == nil }
        return false
    }

    // MARK: Checks

    /// Waits until all mutations that are sent have made their requests, and all answers are stored.
    private func settle() async {
        repeat {
            await until { haveAsked }
            // The end of a mutation sends others.
            for mutation in begun where !mutation.isPending { try? await mutation.waitForEnd() }
            for _ in 0..<20 { await Task.yield() }
        } while !haveAsked
    }

    /// Whether each mutation that is being sent has made its request, and no answer waits for being stored.
    private var haveAsked: Bool {
        let asking = begun.count { mutation in
            if case .sending = mutation.state { !mutation.isAnswered } else { false }
        }
        let pages = (server.sent + server.arrived.map(\.call)).count { call in
            if case .page = call.request { true } else { false }
        }
        return server.openCount - pages == asking
    }

    private mutating func check(mayLose: Bool) {
        let keys = keys
        #expect(Set(keys).count == keys.count, "\(context): \(keys.sorted())")
        if mayLose { alive.formIntersection(keys) }
        let failed = alive.subtracting(keys)
        #expect(failed.isEmpty, "\(context): \(failed) are gone")
        let ids = Array(home.ids)
        #expect(Set(ids).count == ids.count, "\(context): \(ids)")
        let listed = home.values.compactMap(\.clientKey)
        #expect(Set(listed).count == listed.count, "\(context): \(listed)")
    }

    mutating func end(_ random: inout SeededGenerator) async {
        context = "seed \(seed), end"
        await answerAll(&random)
        var rounds = 0
        while !pushesAll, rounds < 100, rounds == 0 || !cache.pendingMutations.isEmpty {
            // What was removed without a push.
            for id in cache.allValues(of: Posting.self).map(\.id) where Int(id) != nil && server.postings[id] == nil {
                cache.remove(Posting.self, id: id)
            }
            cache.set(contentsOf: server.all)
            // What was deleted before it came never comes.
            for mutation in begun where mutation.isAnswered { mutation.cancel() }
            await settle()
            await answerAll(&random)
            cache.set(contentsOf: server.all)
            await settle()
            rounds += 1
        }
        alive = []
        check(mayLose: true)
        #expect(cache.pendingMutations.isEmpty, "\(context)")
        for posting in cache.allValues(of: Posting.self) {
            #expect(posting == server.postings[posting.id], "\(context)")
            #expect(cache.confirmed { cache.get(Posting.self, id: posting.id) } == posting, "\(context)")
        }
        #expect(cache.count(of: Posting.self) == server.postings.count, "\(context)")
        #expect(home.ids.allSatisfy { Int($0) != nil }, "\(context): \(Array(home.ids))")
        #expect(cache.registry.table(of: Posting.self).takeUnretainedValue().layeredKeyCount == 0, "\(context)")
    }

    /// Answers everything, and what is sent because of that.
    private mutating func answerAll(_ random: inout SeededGenerator) async {
        while server.openCount > 0 || loaded.withLock({ $0 }) < loadCount {
            if server.openCount == 0 {
                await Task.yield()
            } else if server.arrived.isEmpty, let call = server.sent.first {
                let changed = server.receive(call)
                if pushesAll { push(changed) }
            } else {
                _ = answer(&random)
            }
            await settle()
        }
    }
}
