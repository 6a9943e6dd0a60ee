import FlatCache
import TestThreads
import Testing

@Suite("Reading one property", .mayBlock)
struct PropertyTests {
    let cache = FlatCache()

    struct Profile: Cachable, Equatable {
        let id: Int
        var name = ""
        var nickname: String?
        var home = Address()
        var friends: [Int] = []

        var greeting: String { "Hello, \(name)" }

        struct Address: Equatable {
            var city = ""
            var code: Int?
        }
    }

    private func store(_ nickname: String?) {
        cache.set(
            Profile(
                id: 1,
                name: "Ann of a name that is kept on the heap",
                nickname: nickname,
                home: .init(city: "Riga", code: 7),
                friends: [2, 3]
            )
        )
    }

    @Test("Properties of every kind are read by identifier as in a copy")
    func byIdentifier() {
        store("Nan")
        #expect(cache.get(Profile.self, id: 1, \.name) == "Ann of a name that is kept on the heap")
        #expect(cache.get(id: 1, \Profile.home.city) == "Riga")
        #expect(cache.get(id: 1, \Profile.home) == Profile.Address(city: "Riga", code: 7))
        #expect(cache.get(Profile.self, id: 1, \.friends) == [2, 3])
        #expect(cache.get(Profile.self, id: 1, \.friends.count) == 2)
        #expect(cache.get(Profile.self, id: 1, \.friends[1]) == 3)
        #expect(cache.get(Profile.self, id: 1, \.greeting) == "Hello, Ann of a name that is kept on the heap")
        #expect(cache.get(Profile.self, id: 1, \.self) == cache.get(Profile.self, id: 1))
        let property = [\Profile.name, \Profile.home.city][1]
        #expect(cache.get(id: 1, property) == "Riga")
    }

    @Test("An optional property is nil when it is nil, and when the entity is missing")
    func optionals() {
        store("Nan")
        let nickname: String? = cache.get(Profile.self, id: 1, \.nickname)
        #expect(nickname == "Nan")
        #expect(cache.get(Profile.self, id: 1, \.home.code) == 7)
        store(nil)
        let none: String? = cache.get(Profile.self, id: 1, \.nickname)
        #expect(none == nil)
        #expect(cache.get(Profile.self, id: 2, \.nickname) == nil)
        #expect(cache.get(Profile.self, id: 2, \.name) == nil)
        #expect(FlatCache().get(Post.self, id: "1", \.title) == nil)
    }

    @Test("H1: A handle reads properties by their names")
    func byHandle() {
        let profile = Cached(Profile.self, id: 1, in: cache)
        #expect(profile.name == nil)
        store("Nan")
        #expect(profile.name == "Ann of a name that is kept on the heap")
        let nickname: String? = profile.nickname
        #expect(nickname == "Nan")
        #expect(profile.home?.city == "Riga")
        #expect(profile.greeting == "Hello, Ann of a name that is kept on the heap")
        #expect(profile.friends?.count == 2)
        cache.update(Profile.self, id: 1) { $0.name = "Eve" }
        #expect(profile.name == "Eve")
        cache.removeAll()
        #expect(profile.name == nil)
    }

    @Test("S2, S3: Properties are read through transactions and reads")
    func inBodies() {
        store("Nan")
        let profile = Cached(Profile.self, id: 1, in: cache)
        cache.read {
            onThreads(1) { [cache] _ in cache.update(Profile.self, id: 1) { $0.name = "Eve" } }
            #expect(profile.name == "Ann of a name that is kept on the heap")
            #expect(cache.get(Profile.self, id: 1, \.nickname) == "Nan")
        }
        cache.transaction {
            cache.update(Profile.self, id: 1) { $0.name = "Zoe" }
            #expect(profile.name == "Zoe")
            #expect(cache.get(Profile.self, id: 1, \.name) == "Zoe")
        }
    }

    @Test("A computed property may use the cache: no lock is held while it runs")
    func computedProperties() {
        cache.set(Linked(id: 1, nextID: 2, cache: cache))
        cache.set(Linked(id: 2, nextID: 1, cache: cache))
        #expect(cache.get(Linked.self, id: 1, \.next?.id) == 2)
        #expect(Cached(Linked.self, id: 1, in: cache).next?.nextID == 1)
    }

    struct Linked: Cachable {
        let id: Int
        let nextID: Int
        unowned let cache: FlatCache

        var next: Linked? { cache.get(id: nextID) }
    }
}
