import FlatCache
import Testing

@Suite("Single entities of lists")
struct ListEntityTests {
    let cache = FlatCache()

    @Test("N4: An entity is stored and listed in one commit, at the end or the beginning; a listed one keeps its place")
    func adding() {
        let list = cache.list("home", of: Post.self)
        let states = Recorder<[Post]>()
        let subscription = list.observe { states.record($0.values) }
        let (first, second) = (Post(id: "1"), Post(id: "2"))
        list.append(first)
        list.prepend(second)
        list.append(Post(id: "2", likes: 1))
        list.prepend(Post(id: "1", likes: 1))
        #expect(list.ids == ["2", "1"])
        #expect(list.values.map(\.likes) == [1, 1])
        #expect(states.elements.map(\.count) == [0, 1, 2, 2, 2])
        subscription.cancel()
    }

    @Test("An entity is taken from the list by its identifier, and stays in the cache")
    func removing() {
        let list = cache.list("home", of: Post.self)
        list.append(Post(id: "1"))
        #expect(list.remove(Post(id: "1", likes: 9)))
        #expect(!list.remove(Post(id: "1")))
        #expect(!list.remove("1"))
        #expect(list.isEmpty)
        #expect(cache.contains(Post(id: "1")))
    }

    @Test("S2: Both take part in transactions")
    func transactions() {
        struct Refusal: Error {}
        let list = cache.list("home", of: Post.self)
        list.append(Post(id: "1"))
        #expect(throws: Refusal.self) {
            try cache.transaction {
                list.prepend(Post(id: "2"))
                #expect(list.remove(Post(id: "1")))
                #expect(list.ids == ["2"])
                throw Refusal()
            }
        }
        #expect(list.ids == ["1"])
    }

    @Test("An entity that is its own identifier is listed and removed as such")
    func ownIdentifier() {
        let list = cache.list("tags", of: Tag.self)
        list.append(Tag(name: "swift"))
        list.prepend(Tag(name: "cache"))
        #expect(list.contains(Tag(name: "swift")))
        #expect(list.remove(Tag(name: "swift")))
        #expect(list.ids == [Tag(name: "cache")])
    }

    @Test("An update returns whether the cache is there, or returns what its closure returns")
    func updating() {
        var cache: FlatCache? = FlatCache()
        guard let list = cache?.list("home", of: Counter.self) else { return }
        #expect(list.update { $0 = [3, 1, 2] })
        #expect(list.update { $0.popLast() } == 2)
        let isThere = list.update { ids in
            ids.sort()
            ids.append(7)
        }
        #expect(isThere)
        #expect(list.ids == [1, 3, 7])
        cache = nil
        #expect(!list.update { $0 = [] })
    }
}

/// An entity that is all identifier.
private struct Tag: Cachable, Hashable {
    let name: String

    var id: Self { self }
}
