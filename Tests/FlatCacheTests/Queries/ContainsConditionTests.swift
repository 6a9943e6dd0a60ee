import Testing

@testable import FlatCache

@Suite("Conditions on the elements of a property")
struct ContainsConditionTests {
    struct Song: Cachable, Equatable {
        let id: Int
        var genres: Set<String> = []
        var singerIDs: [Int]?
        var remarks: [String?] = []
    }

    struct IndexedSong: Cachable, Equatable {
        let id: Int
        var singerIDs: [Int]?

        static let indexes: [FlatCache.Index<IndexedSong>] = [.init(each: \.singerIDs)]
    }

    let cache = FlatCache()

    private func ids(_ query: FlatCache.Query<Song>) -> [Int] { cache.query(query).ids }

    @Test("An entity matches if its collection contains the element, and never if it has none")
    func matches() {
        cache.set(Song(id: 1, genres: ["folk", "rock"], singerIDs: [7, 8], remarks: [nil]))
        cache.set(Song(id: 2, genres: ["rock"], singerIDs: [], remarks: ["a"]))
        cache.set(Song(id: 3))
        #expect(ids(.init().filter(\.genres, contains: "rock")) == [1, 2])
        #expect(ids(.init().filter(\.genres, contains: "jazz")).isEmpty)
        #expect(ids(.init().filter(\.singerIDs, contains: 8)) == [1])
        #expect(ids(.init().filter(\.remarks, contains: nil)) == [1])
        #expect(ids(.init().filter(\.remarks, contains: "a")) == [2])
    }

    @Test("Conditions are equal if the property and the element are")
    func equality() {
        let query = FlatCache.Query(Song.self).filter(\.genres, contains: "rock")
        #expect(query == FlatCache.Query(Song.self).filter(\.genres, contains: "rock"))
        #expect(query != FlatCache.Query(Song.self).filter(\.genres, contains: "folk"))
        #expect(query != FlatCache.Query(Song.self).filter(\.genres, equals: ["rock"]))
    }

    @Test("A live answer follows the elements")
    func live() {
        let seen = Recorder<[Int]>()
        let query = cache.query(FlatCache.Query(Song.self).filter(\.singerIDs, contains: 1))
        let subscription = query.observe { seen.record($0.ids) }
        cache.set(Song(id: 1, singerIDs: [1, 1]))
        cache.update(Song.self, id: 1) { $0.singerIDs?.append(2) }
        cache.update(Song.self, id: 1) { $0.singerIDs = nil }
        subscription.cancel()
        #expect(seen.elements == [[], [1], [1], []])

        let indexed = Recorder<[Int]>()
        let other = cache.query(FlatCache.Query(IndexedSong.self).filter(\.singerIDs, contains: 1))
            .observe { indexed.record($0.ids) }
        cache.set(IndexedSong(id: 1, singerIDs: [1, 1]))
        cache.set(IndexedSong(id: 2, singerIDs: [2]))
        cache.update(IndexedSong.self, id: 1) { $0.singerIDs?.append(2) }
        cache.update(IndexedSong.self, id: 1) { $0.singerIDs = nil }
        other.cancel()
        #expect(indexed.elements == [[], [1], [1], []])
    }

    @Test("An index by elements has the same answers")
    func indexed() {
        for id in 1...6 { cache.set(IndexedSong(id: id, singerIDs: id == 6 ? nil : [id % 2, id % 3 + 10])) }
        func ids(_ singer: Int) -> [Int] {
            cache.query(FlatCache.Query(IndexedSong.self).filter(\.singerIDs, contains: singer)).ids
        }
        #expect(ids(0) == [2, 4] && ids(1) == [1, 3, 5] && ids(11) == [1, 4] && ids(9).isEmpty)
        cache.update(IndexedSong.self, id: 1) { $0.singerIDs = [0] }
        cache.remove(IndexedSong.self, id: 2)
        #expect(ids(0) == [1, 4] && ids(1) == [3, 5] && ids(11) == [4])
        #expect(cache.query(FlatCache.Query(IndexedSong.self).filter(\.singerIDs, equals: [0])).ids == [1])
        #expect(cache.query(FlatCache.Query(IndexedSong.self).filter(\.singerIDs, equals: nil)).ids == [6])
    }
}
