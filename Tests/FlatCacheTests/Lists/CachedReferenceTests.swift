import Observation
import Testing

@testable import FlatCache

@Suite("Names")
struct CachedReferenceTests {
    let cache = FlatCache()
    var user: CachedReference<Author> { cache.reference("currentUser", of: Author.self) }

    @Test("A name stands for nothing, then for one entity after the other, then for nothing again")
    func naming() {
        #expect(user.value == nil)
        #expect(user.id == nil)
        #expect(user.handle == nil)
        user.set(Author(id: "7", name: "Ada"))
        #expect(user.value?.name == "Ada")
        #expect(cache.get(Author.self, id: "7")?.name == "Ada")
        cache.update(Author.self, id: "7") { $0.name = "Eve" }
        #expect(user.value?.name == "Eve")
        user.id = "8"
        #expect(user.value == nil)
        #expect(user.handle == Cached(id: "8", in: cache))
        user.id = nil
        #expect(user.id == nil)
        #expect(cache.contains(Author.self, id: "7"))
        #expect(cache.count == 1)
    }

    @Test("One name in one cache is one; another type, name or cache is another")
    func sharing() {
        user.id = "7"
        #expect(cache.reference("currentUser", of: Author.self) == user)
        #expect(CachedReference<Author>("currentUser", in: cache).id == "7")
        #expect(cache.reference("currentUser", of: Post.self).id == nil)
        #expect(cache.reference("other", of: Author.self).id == nil)
        #expect(FlatCache().reference("currentUser", of: Author.self).id == nil)
        #expect("\(user)" == "CachedReference<FlatCacheTests.Author>(\"currentUser\"): \"7\"")
    }

    @Test("N4, N8: It is observed before it names anything, through every change, once for each commit")
    func observing() {
        let notified = Recorder<String?>()
        let subscription = user.observe { notified.record($0?.name) }
        user.set(Author(id: "7", name: "Ada"))
        cache.set(Author(id: "8", name: "Bob"))
        cache.update(Author.self, id: "7") { $0.name = "Eve" }
        user.id = "8"
        cache.update(Author.self, id: "7") { $0.name = "nobody" }
        user.id = nil
        user.set(Author(id: "9", name: "Zoe"))
        cache.removeAll()
        #expect(notified.elements == [nil, "Ada", "Eve", "Bob", nil, "Zoe", nil])
        subscription.cancel()
    }

    @Test("Its readers are notified by the Observation framework")
    func tracking() {
        let notified = Recorder<Int>()
        withObservationTracking {
            _ = user.value
        } onChange: {
            notified.record(1)
        }
        cache.set(Author(id: "7"))
        #expect(notified.count == 0)
        user.id = "7"
        #expect(notified.count == 1)
    }

    @Test("Its values are a sequence, which ends with the cache; without the cache there is nothing to do")
    func sequence() async {
        var cache: FlatCache? = FlatCache()
        guard let user = cache?.reference("currentUser", of: Author.self) else { return }
        var values = user.updates.makeAsyncIterator()
        #expect(await values.next() == .some(nil))
        user.set(Author(id: "7"))
        #expect(await values.next() == Author(id: "7"))
        cache = nil
        #expect(await values.next() == nil)
        user.set(Author(id: "8"))
        user.id = "9"
        #expect(user.value == nil)
        user.observe { _ in }.cancel()
    }
}
