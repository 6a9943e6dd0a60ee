import FlatCache
import Foundation
import Observation
import Synchronization
import Testing

/// Mistakes that other caches have made, each with a test; those that belong to one operation are with its tests.
@Suite("Pitfalls")
struct PitfallTests {
    let cache = FlatCache()

    @Test("N1: A callback clears the cache that is calling it: it and its peers are told, and nobody twice")
    func callbackClears() {
        cache.set(contentsOf: (0..<10).map { Counter(id: $0) })
        let told = Recorder<String>()
        let subscriptions = (0..<10).map { id in
            cache.observe(Counter.self, id: id) { [cache] change in
                guard change.kind != .initial else { return }
                told.record("\(id) \(change.kind)")
                cache.removeAll()
            }
        }
        cache.set(Counter(id: 3, count: 1))
        #expect(told.count == 11)
        #expect(Set(told.elements) == Set((0..<10).map { "\($0) removed" } + ["3 updated"]))
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N7: A callback unsubscribes a peer whose turn in the same commit has not come: that one is not called")
    func unsubscribePeer() {
        let called = Recorder<Int>()
        let subscriptions = Recorder<CacheSubscription>()
        for number in 0..<2 {
            subscriptions.record(
                cache.observe(Counter.self, id: 1) { change in
                    guard change.kind != .initial else { return }
                    called.record(number)
                    subscriptions.elements[1 - number].cancel()
                }
            )
        }
        cache.set(Counter(id: 1, count: 1))
        cache.set(Counter(id: 1, count: 2))
        #expect(called.count == 2)
        #expect(Set(called.elements).count == 1)
        for subscription in subscriptions.take() { subscription.cancel() }
    }

    @Test(
        "N1: The main thread waits for a writer whose commit tells callbacks, sequences and views of the main actor",
        .timeLimit(.minutes(2))
    )
    @MainActor func mainThreadWaits() async {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let told = Recorder<Int?>()
        let onMain = Recorder<Int?>()
        withObservationTracking {
            _ = handle.value
        } onChange: {
            told.record(nil)
            Task { @MainActor in onMain.record(handle.value?.count) }
        }
        let subscription = handle.observe(initial: false) { change in
            told.record(change.value?.count)
            Task { @MainActor in onMain.record(change.value?.count) }
        }
        var values = handle.updates.makeAsyncIterator()
        #expect(await values.next() == .some(nil))
        // Blocks the main thread until the writer is done.
        onThreads(1) { [cache] _ in cache.set(Counter(id: 1, count: 1)) }
        #expect(told.count == 2)
        #expect(handle.value?.count == 1)
        #expect(await values.next() == Counter(id: 1, count: 1))
        while onMain.count < 2 { await Task.yield() }
        #expect(onMain.elements == [1, 1])
        subscription.cancel()
    }

    @Test("S1: What another task writes while one waits between reading and updating is not overwritten")
    func updateAfterWaiting() async {
        cache.set(Post(id: "1", title: "Draft"))
        let handle = Cached(Post.self, id: "1", in: cache)
        let likes = cache.get(Post.self, id: "1")?.likes
        _ = await Task.detached { [cache] in cache.update(Post.self, id: "1") { $0.title = "Final" } }.value
        cache.update(Post.self, id: "1") { $0.likes = (likes ?? 0) + 1 }
        #expect(cache.get(Post.self, id: "1") == Post(id: "1", title: "Final", likes: 1))
        _ = await Task.detached { [cache] in cache.update(Post.self, id: "1") { $0.authorID = "7" } }.value
        handle.update { $0.likes += 1 }
        #expect(handle.value == Post(id: "1", title: "Final", likes: 2, authorID: "7"))
    }

    @Test("N7: Subscriptions are released, as by deinitializers, on other threads while their observers are called")
    func releasedOnOtherThreads() {
        let isDone = Atomic(false)
        onThreads(4) { [cache] thread in
            if thread == 0 {
                for count in 0..<3_000 { cache.set(contentsOf: (0..<4).map { Counter(id: $0, count: count) }) }
                isDone.store(true, ordering: .releasing)
                return
            }
            final class Screen: Sendable {
                let subscriptions: [CacheSubscription]
                init(_ subscriptions: [CacheSubscription]) { self.subscriptions = subscriptions }
            }
            while !isDone.load(ordering: .acquiring) {
                let keys = (0..<4).map { Counter.flatCacheKey(id: $0) }
                let screen = Screen(
                    (0..<4).map { cache.observe(Counter.self, id: $0) { _ in } } + [
                        cache.observe(keys, initial: false) { _ in }
                    ]
                )
                withExtendedLifetime(screen) {}
            }
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N4: A storm of equal writes tells nobody: no callback, no sequence, no view")
    func equalWrites() async {
        cache.set(Counter(id: 1, count: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let told = Recorder<Int?>()
        withObservationTracking {
            _ = handle.value
        } onChange: {
            told.record(nil)
        }
        let subscriptions = [
            handle.observe(initial: false) { told.record($0.value?.count) },
            cache.observe([handle.key], initial: false) { _ in told.record(nil) },
        ]
        var values = handle.updates.makeAsyncIterator()
        #expect(await values.next() == Counter(id: 1, count: 1))
        for _ in 0..<1_000 {
            cache.set(Counter(id: 1, count: 1))
            cache.set(contentsOf: [Counter(id: 1, count: 1)])
            handle.update { $0.count += 0 }
            cache.transaction { cache.set(Counter(id: 1, count: 1)) }
        }
        #expect(told.count == 0)
        cache.set(Counter(id: 1, count: 2))
        #expect(await values.next() == Counter(id: 1, count: 2))
        #expect(told.count == 3)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("S3, N4: Who watches two entities that change together never sees one of them without the other")
    func pairs() {
        cache.set(Counter(id: 1))
        cache.set(Post(id: "1"))
        let keys = [Counter.flatCacheKey(id: 1), Post.flatCacheKey(id: "1")]
        let halves = Recorder<String>()
        let subscription = cache.observe(keys, initial: false) { [cache] changes in
            if changes.keys.count != 2 { halves.record("told of \(changes.keys)") }
            let (count, likes) = cache.read {
                (cache.get(Counter.self, id: 1)?.count, cache.get(Post.self, id: "1")?.likes)
            }
            if count != likes { halves.record("saw \(String(describing: count)) and \(String(describing: likes))") }
        }
        onThreads(3) { [cache] _ in
            for _ in 0..<1_000 {
                cache.transaction {
                    cache.update(Counter.self, id: 1) { $0.count += 1 }
                    cache.update(Post.self, id: "1") { $0.likes += 1 }
                }
            }
        }
        #expect(halves.elements.prefix(5) == [])
        #expect(cache.get(Counter.self, id: 1)?.count == 3_000)
        subscription.cancel()
    }

    @Test("No mistake of a user is caught by an assertion, which builds for release leave out")
    func noAssertions() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/FlatCache")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            #expect(source.firstRange(of: /\bassert(ionFailure)?\(/) == nil, "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 20)
    }
}
