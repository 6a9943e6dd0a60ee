import FlatCache
import Foundation
import Homonyms
import Testing

@Suite("Keys")
struct FlatCacheKeyTests {
    @Test("S4: Keys are equal when type and identifier are")
    func equality() {
        #expect(Post(id: "1").flatCacheKey == FlatCacheKey(Post.self, id: "1"))
        #expect(Post.flatCacheKey(id: "1") != Post.flatCacheKey(id: "2"))
        #expect(Post.flatCacheKey(id: "1") != Author.flatCacheKey(id: "1"))
        #expect(Post.flatCacheKey(id: "1") != Homonyms.Post.flatCacheKey(id: "1"))
        let status = Status.flatCacheKey(id: StatusID(domain: "one.example", id: "1"))
        #expect(status != Status.flatCacheKey(id: StatusID(domain: "two.example", id: "1")))
        #expect(status == Status.flatCacheKey(id: StatusID(domain: "one.example", id: "1")))
    }

    @Test("Equal keys have equal hashes")
    func hashing() {
        let keys: Set = [Post.flatCacheKey(id: "é"), Post.flatCacheKey(id: "e\u{301}"), Author.flatCacheKey(id: "é")]
        #expect(keys.count == 2)
    }

    @Test("S4: Local types with one name are different types")
    func localTypes() {
        func first() -> FlatCacheKey {
            struct Item: Cachable { let id = 1 }
            return Item().flatCacheKey
        }
        func second() -> FlatCacheKey {
            struct Item: Cachable { let id = 1 }
            return Item().flatCacheKey
        }
        #expect(first() == first())
        #expect(first() != second())
    }

    @Test("A key prints its qualified type and its identifier, unmistakably")
    func description() {
        #expect(Post.flatCacheKey(id: "1").description == #"FlatCacheTests.Post("1")"#)
        #expect(Homonyms.Post.flatCacheKey(id: "a\"b").description == #"Homonyms.Post("a\"b")"#)
        #expect(Counter.flatCacheKey(id: 7).description == "FlatCacheTests.Counter(7)")
    }

    @Test("A key gives its identifier back for its own type only")
    func identifier() {
        let key = Post.flatCacheKey(id: "1")
        #expect(key.id(as: Post.self) == "1")
        #expect(key.id(as: Author.self) == nil)
        #expect(ObjectIdentifier(key.entityType) == ObjectIdentifier(Post.self))
    }
}
