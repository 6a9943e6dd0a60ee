import FlatCache
import Foundation
import Homonyms
import Testing

@Suite("Reading and writing")
struct ReadingAndWritingTests {
    let cache = FlatCache()

    @Test("A stored entity is read back, by type and identifier")
    func setAndGet() {
        cache.set(Post(id: "1", title: "Hello"))
        #expect(cache.get(Post.self, id: "1")?.title == "Hello")
        #expect(cache.get(Post.self, id: "2") == nil)
        let inferred: Post? = cache.get(id: "1")
        #expect(inferred?.title == "Hello")
    }

    @Test("Nothing is found in an empty cache, and nothing can be changed in it")
    func emptyCache() {
        #expect(cache.get(Post.self, id: "1") == nil)
        #expect(!cache.contains(Post.self, id: "1"))
        #expect(cache.update(Post.self, id: "1") { $0.likes += 1 } == nil)
        #expect(cache.remove(Post.self, id: "1") == nil)
        #expect(cache.count(of: Post.self) == 0)
        #expect(cache.allValues(of: Post.self).isEmpty)
        cache.removeAll()
        cache.removeAll(of: Post.self)
        #expect(cache.count == 0)
    }

    @Test("A second entity with the identifier replaces the first")
    func replace() {
        cache.set(Post(id: "1", title: "old"))
        cache.set(Post(id: "1", title: "new"))
        #expect(cache.get(Post.self, id: "1")?.title == "new")
        #expect(cache.count(of: Post.self) == 1)
    }

    @Test("Identifiers of any type: integers, UUIDs, structures")
    func identifierTypes() {
        let uuid = UUID()
        cache.set(Counter(id: 7, count: 3))
        cache.set(Attachment(id: uuid, name: "cat.png"))
        cache.set(Status(id: StatusID(domain: "one.example", id: "1"), text: "here"))
        cache.set(Status(id: StatusID(domain: "two.example", id: "1"), text: "there"))
        #expect(cache.get(Counter.self, id: 7)?.count == 3)
        #expect(cache.get(Attachment.self, id: uuid)?.name == "cat.png")
        #expect(cache.get(Status.self, id: StatusID(domain: "one.example", id: "1"))?.text == "here")
        #expect(cache.get(Status.self, id: StatusID(domain: "two.example", id: "1"))?.text == "there")
        #expect(cache.count == 4)
    }

    @Test("S4: One identifier under two types, and one type name in two modules, are different keys")
    func typesDoNotCollide() {
        cache.set(Post(id: "1", title: "post"))
        cache.set(Author(id: "1", name: "author"))
        cache.set(Homonyms.Post(id: "1", homonym: "other module"))
        #expect(cache.get(Post.self, id: "1")?.title == "post")
        #expect(cache.get(Author.self, id: "1")?.name == "author")
        #expect(cache.get(Homonyms.Post.self, id: "1")?.homonym == "other module")
        cache.remove(Post.self, id: "1")
        #expect(cache.get(Homonyms.Post.self, id: "1")?.homonym == "other module")
        #expect(Post.flatCacheKey(id: "1") != Homonyms.Post.flatCacheKey(id: "1"))
    }

    @Test("S4: Identifiers of any characters are distinct, and removing one keeps those that begin with it")
    func identifiersDoNotCollide() {
        let ids = [
            "", "1", "10", "1:0", "Post:1", "Post(\"1\")", "\"", "\\", "\0", "a\0b", "a\u{301}", "é", "e", "🙂", " 1",
            "1 ",
            "K", "k", "\n", String(repeating: "x", count: 1000), String(repeating: "x", count: 1001),
        ]
        cache.set(contentsOf: ids.map { Post(id: $0, title: "<\($0)>") })
        #expect(cache.count(of: Post.self) == Set(ids).count)
        for id in ids { #expect(cache.get(Post.self, id: id)?.title == "<\(id)>") }
        cache.remove(Post.self, id: "1")
        #expect(cache.get(Post.self, id: "10") != nil)
        #expect(cache.get(Post.self, id: "1:0") != nil)
        #expect(cache.count(of: Post.self) == Set(ids).count - 1)
    }

    @Test(
        "Canonically equivalent identifiers are one key, as they are equal",
        arguments: [
            ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("é", "e\u{301}"), ("12\u{212A}", "12K"),
            ("Å", "\u{212B}"),
        ]
    )
    func canonicalEquivalence(one: String, other: String) {
        #expect(one == other)
        cache.set(Post(id: one, title: "found"))
        #expect(cache.get(Post.self, id: other)?.title == "found")
        #expect(cache.count == 1)
    }

    @Test("Several entities are read in the order of their identifiers, and the missing ones are named")
    func severalEntities() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2), Counter(id: 4)])
        #expect(cache.get(Counter.self, ids: [4, 3, 1, 4]).map(\.id) == [4, 1, 4])
        #expect(cache.missingIDs(of: Counter.self, among: [5, 4, 3, 1]) == [5, 3])
    }

    @Test("Entities of a type are counted and listed, those of others not")
    func listing() {
        cache.set(contentsOf: (0..<100).map { Counter(id: $0) })
        cache.set(Post(id: "1"))
        #expect(cache.count(of: Counter.self) == 100)
        #expect(cache.count == 101)
        #expect(Set(cache.allValues(of: Counter.self).map(\.id)) == Set(0..<100))
        #expect(Set(cache.allKeys(of: Counter.self)) == Set((0..<100).map { Counter.flatCacheKey(id: $0) }))
        #expect(cache.contains(Counter.self, id: 99))
        #expect(!cache.contains(Counter.self, id: 100))
    }

    @Test("A removed entity is returned, and gone")
    func remove() {
        cache.set(contentsOf: [Counter(id: 1, count: 5), Counter(id: 2)])
        #expect(cache.remove(Counter.self, id: 1)?.count == 5)
        #expect(cache.remove(Counter.self, id: 1) == nil)
        #expect(cache.get(Counter.self, id: 1) == nil)
        #expect(cache.count == 1)
    }

    @Test("Everything, or everything of one type, is removed at once")
    func removeAll() {
        cache.set(contentsOf: (0..<50).map { Counter(id: $0) })
        cache.set(contentsOf: (0..<50).map { Post(id: "\($0)") })
        cache.removeAll(of: Counter.self)
        #expect(cache.count(of: Counter.self) == 0)
        #expect(cache.count(of: Post.self) == 50)
        cache.removeAll()
        #expect(cache.count == 0)
        cache.set(Counter(id: 1))
        #expect(cache.count == 1)
    }

    @Test("The sequence of entities to store may itself read and write the cache")
    func lazySequence() {
        cache.set(Counter(id: 0, count: 7))
        let cache = cache
        cache.set(
            contentsOf: (1...3).lazy.map { id in
                cache.set(Post(id: "\(id)"))
                return Counter(id: id, count: cache.get(Counter.self, id: id - 1)?.count ?? -1)
            }
        )
        #expect(cache.count(of: Post.self) == 3)
        #expect(cache.get(Counter.self, id: 1)?.count == 7)
    }

    @Test("A replaced or removed entity is released after unlocking: its deinitializer may use the cache")
    func releaseOutsideLocks() {
        final class Sentinel: Sendable {
            let cache: FlatCache
            init(_ cache: FlatCache) { self.cache = cache }
            deinit { cache.update(Counter.self, id: 0) { $0.count += 1 } }
        }
        struct Guarded: Cachable {
            let id: Int
            let sentinel: Sentinel
        }
        cache.set(Counter(id: 0))
        for id in 0..<20 { cache.set(Guarded(id: id, sentinel: Sentinel(cache))) }
        cache.set(Guarded(id: 0, sentinel: Sentinel(cache)))
        cache.set(contentsOf: (0..<20).map { Guarded(id: $0, sentinel: Sentinel(cache)) })
        cache.remove(Guarded.self, id: 1)
        cache.update(Guarded.self, id: 2) { $0 = Guarded(id: 2, sentinel: Sentinel(cache)) }
        cache.removeAll(of: Guarded.self)
        #expect(cache.get(Counter.self, id: 0)?.count == 42)
    }
}
