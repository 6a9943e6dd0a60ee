import FlatCache
import Observation
import TestThreads
import Testing

@Suite("The cache that handles read", .mayBlock)
struct CurrentCacheOfHandlesTests {
    /// A cache that isn't the current one.
    let cache = FlatCache()
    private let handle: Cached<Article>

    init() {
        handle = Cached(id: "1", in: cache)
        cache.set(Article(id: "1", authorID: "7", meta: Meta(editorID: "8")))
        cache.set(contentsOf: [Author(id: "7", name: "Ada"), Author(id: "8", name: "Eve")])
    }

    /// Where a handle may be read: what is around it, and what the cache is there.
    enum Place: CaseIterable {
        case nowhere, otherCurrent, ownCurrent, otherTransaction, ownTransaction, otherRead, ownRead

        func run(_ cache: FlatCache, _ body: () throws -> Void) rethrows {
            let other = FlatCache()
            other.set(contentsOf: [Author(id: "7", name: "other"), Author(id: "8", name: "other")])
            switch self {
            case .nowhere: try body()
            case .otherCurrent: try FlatCache.withCurrent(other, body)
            case .ownCurrent: try FlatCache.withCurrent(cache, body)
            case .otherTransaction: try other.transaction(body)
            case .ownTransaction: try cache.transaction(body)
            case .otherRead: try other.read(body)
            case .ownRead: try cache.read(body)
            }
        }
    }

    @Test(
        "H4: Computed properties read the cache of the handle, whichever is the current one",
        arguments: Place.allCases
    )
    func computed(place: Place) {
        place.run(cache) {
            #expect(handle.authorName == "Ada")
            #expect(handle.author?.name == "Ada")
            #expect(handle.isInCache(cache) == true)
            #expect(handle.authorID == "7")
        }
    }

    @Test("H4: A chain through nested values is followed in the cache of the handle", arguments: Place.allCases)
    func chains(place: Place) {
        place.run(cache) {
            #expect(handle[\.meta?.editor?.name] == "Eve")
            #expect(handle[\.meta?.editorName] == "Eve")
            #expect(handle[\.author?.name.count] == 3)
            #expect(handle[\.headline] == "by Ada")
            #expect(handle[\.authorID] == "7")
            #expect(Cached(Article.self, id: "2", in: cache)[\.headline] == nil)
            #expect(cache.get(Article.self, id: "1", \.authorName) == "Ada")
            #expect(cache.get(Article.self, id: "1", \.meta?.editorName) == "Eve")
        }
    }

    @Test("H4: So do those of generic entities, for which nothing is generated", arguments: Place.allCases)
    func generic(place: Place) {
        cache.set(GenericArticle<Int>(id: "1", authorID: "7"))
        place.run(cache) { #expect(Cached(GenericArticle<Int>.self, id: "1", in: cache).author?.name == "Ada") }
    }

    @Test("H4: A transaction's own writes are read, and not those of others", arguments: [true, false])
    func ownWrites(isInTransaction: Bool) {
        let body = {
            onThreads(1) { [cache] _ in cache.set(Author(id: "8", name: "late")) }
            cache.set(Author(id: "7", name: "Bob"))
            #expect(handle.authorName == (isInTransaction ? "Bob" : "Ada"))
            #expect(handle[\.meta?.editorName] == "Eve")
        }
        if isInTransaction {
            struct Refusal: Error {}
            try? cache.transaction {
                body()
                throw Refusal()
            }
            #expect(handle.authorName == "Ada")
        } else {
            cache.read(body)
            #expect(handle.authorName == "Bob")
        }
        #expect(handle[\.meta?.editorName] == "late")
    }

    @Test("H4: The current cache is the one of before when a property was read, and in copies that were taken out")
    func afterwards() {
        let current = FlatCache()
        FlatCache.withCurrent(current) {
            #expect(handle.authorName == "Ada")
            #expect(FlatCache.current === current)
            #expect(handle.value?.authorName == nil)
            #expect(handle.meta?.editorName == nil)
        }
    }

    @Test("H4: A stored property is read where it is, a computed one in the observed state; both are tracked")
    func tracking() {
        let notified = Recorder<String?>()
        func track() {
            withObservationTracking {
                _ = handle.authorName
                _ = handle[\.meta?.editorName]
            } onChange: {
                notified.record(handle.authorName)
            }
        }
        track()
        cache.update(Author.self, id: "7") { $0.name = "Bob" }
        #expect(notified.take() == ["Bob"])
        track()
        cache.update(Author.self, id: "8") { $0.name = "Zoe" }
        #expect(notified.take() == ["Bob"])
        let names = Recorder<String?>()
        let observing = cache.observe { [handle] in
            handle.authorName
        } onChange: {
            names.record($0)
        }
        cache.set(Author(id: "7", name: "Amy"))
        #expect(names.elements == ["Bob", "Amy"])
        observing.cancel()
    }

    @Test("Once the cache is gone, nothing is computed")
    func cacheGone() {
        var cache: FlatCache? = FlatCache()
        cache?.set(Article(id: "1", authorID: "7"))
        let handle = cache.map { Cached(Article.self, id: "1", in: $0) }
        #expect(handle?.headline == "by nobody")
        cache = nil
        #expect(handle?.headline == nil)
        #expect(handle?[\.headline] == nil)
        #expect(handle?.authorID == nil)
    }

    @Test("H4: Lists and names read their cache, whichever is the current one", arguments: Place.allCases)
    func listsAndNames(place: Place) {
        let list = cache.list("authors", of: Author.self)
        let name = cache.reference("editor", of: Author.self)
        list.append(ids: ["7", "8", "9"])
        name.id = "8"
        place.run(cache) {
            #expect(list.values.map(\.name) == ["Ada", "Eve"])
            #expect(list.missingIDs == ["9"])
            #expect(list.state.values.count == 2)
            #expect(list.handles.map(\.name) == ["Ada", "Eve", nil])
            #expect(name.value?.name == "Eve")
            #expect(name.handle?.name == "Eve")
        }
    }
}

/// An entity with accessors as they are generated, and with properties that use them.
private struct Article: Cachable {
    let id: String
    var authorID: String
    var meta: Meta?

    var author: Author? { FlatCache.current.tracked { $0.get(id: authorID) } }
    var authorName: String? { author?.name }
    var headline: String { "by \(authorName ?? "nobody")" }

    /// Whether a cache is the current one.
    subscript(isCurrent cache: ObjectIdentifier) -> Bool { ObjectIdentifier(FlatCache.current) == cache }
}

/// A part of an entity with an accessor of its own.
private struct Meta: Sendable {
    var editorID: String

    var editor: Author? { FlatCache.current.tracked { $0.get(id: editorID) } }
    var editorName: String? { editor?.name }
}

/// An entity for which no accessors of handles are generated.
private struct GenericArticle<Content>: Cachable {
    let id: String
    var authorID: String

    var author: Author? { FlatCache.current.tracked { $0.get(id: authorID) } }
}

extension Cached<Article> {
    fileprivate func isInCache(_ cache: FlatCache) -> Bool? { self[\.[isCurrent: ObjectIdentifier(cache)]] }
}
