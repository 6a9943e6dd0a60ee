import FlatCache
import SeededRandom
import Testing

@testable import FlatCacheStore

/// Entities that are stored again under an identifier that another one has replaced.
@Suite("Entities under a replaced identifier, and what is only on disk")
struct StoredAgainTests {
    /// What takes an entity out of the memory.
    enum Absence: CaseIterable {
        case collection, limit, restartOnDemand, restart
    }

    private let folder = TemporaryFolder()
    private let time = TestTime()

    private func open(isOnDemand: Bool = false, _ access: StoreAccess = .readWrite) async throws -> FlatCache {
        try await openCache(
            FileStore(at: folder.url),
            for: isOnDemand ? [] : [Memo.self],
            onDemand: isOnDemand ? [Memo.self] : [],
            access,
            time: time
        )
    }

    /// Replaces an identifier, and stores another entity under the old one.
    private func replaceAndStoreAgain(in cache: FlatCache) {
        cache.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "new"))
        cache.set(Memo(1, "again"))
    }

    /// Opens a cache with an entity that is stored again, after others would only be on disk.
    private func cache(after absence: Absence) async throws -> FlatCache {
        let cache = try await open()
        cache.set(Memo(1, "old"))
        replaceAndStoreAgain(in: cache)
        cache.set(contentsOf: (10..<60).map { Memo($0) })
        try await cache.flush()
        switch absence {
        case .collection: cache.collect()
        case .limit:
            cache.setLimit(1, for: Memo.self)
            cache.removeLimit(for: Memo.self)
        case .restartOnDemand, .restart:
            try await cache.store?.close()
            return try await open(isOnDemand: absence == .restartOnDemand)
        }
        return cache
    }

    /// The texts that the store has of the old identifier and the new one.
    private func stored(after cache: FlatCache) async throws -> [String?] {
        try await cache.store?.close()
        let restored = try await open()
        defer { withExtendedLifetime(restored) {} }
        let texts = restored.read { [1, 2].map { number in restored.values(of: number) } }
        try await restored.store?.close()
        return texts
    }

    @Test("Reads, updates and removals concern the entity that is stored again", arguments: Absence.allCases)
    func again(absence: Absence) async throws {
        let id = Memo(1).id
        var cache = try await cache(after: absence)
        #expect(cache.get(Memo.self, id: id)?.text == "again")
        #expect(try await cache.fetch(Memo.self, id: id, .cacheOnly).text == "again")
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id, .cacheOnly).text == "new")
        await cache.withLoaded(Memo.self, ids: [id]) { cache.update(Memo.self, id: id) { $0.text += "+" } }
        #expect(try await stored(after: cache) == ["again+", "new"])
        try removeFiles()
        cache = try await self.cache(after: absence)
        #expect(cache.remove(Memo.self, id: id)?.text == "again")
        #expect(try await stored(after: cache) == [nil, "new"])
    }

    private func removeFiles() throws { try FileStore(at: folder.url).erase() }

    @Test("What is only on disk when its identifier is replaced isn't restored", arguments: [true, false])
    func replacedOnDisk(isOnDemand: Bool) async throws {
        var cache = try await open()
        cache.set(Memo(1, "old"))
        try await cache.flush()
        if isOnDemand {
            try await cache.store?.close()
            cache = try await open(isOnDemand: true)
        } else {
            cache.collect()
        }
        #expect(!cache.contains(Memo.self, id: Memo(1).id))
        cache.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "new"))
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly).text == "new")
        try await cache.store?.close()
        cache = try await open(isOnDemand: true)
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly).text == "new")
        #expect(try await stored(after: cache) == [nil, "new"])
    }

    @Test("An entity can be evicted again after its replacement has ended", arguments: [true, false])
    func ended(byRemovalOfAll: Bool) async throws {
        let cache = try await open()
        replaceAndStoreAgain(in: cache)
        if byRemovalOfAll {
            cache.removeAll()
            cache.set(Memo(1, "again"))
        } else {
            cache.replaceIdentifier(of: Memo.self, Memo(2).id, with: Memo(1, "again"))
        }
        try await cache.flush()
        cache.collect()
        #expect(cache.count(of: Memo.self) == 0)
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly).text == "again")
    }

    @Test("D3: A reader on demand and a store that resumes have the entity that another process stores again")
    func sharing() async throws {
        let writer = try await open()
        writer.set(Memo(1, "old"))
        try await writer.flush()
        let reader = try await open(isOnDemand: true, .readOnly)
        replaceAndStoreAgain(in: writer)
        try await writer.flush()
        try await reader.store?.refresh()
        #expect(reader.get(Memo.self, id: Memo(1).id)?.text == "again" && !reader.contains(Memo.self, id: Memo(2).id))
        try await writer.store?.close()
        let first = try await open(isOnDemand: true)
        try await first.store?.suspend()
        let second = try await open()
        second.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(3, "newest"))
        second.set(Memo(1, "once more"))
        // So the news is everything.
        try await second.store?.erase()
        second.set(Memo(1, "old"))
        second.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(3, "newest"))
        second.set(Memo(1, "once more"))
        try await second.store?.close()
        try await first.store?.resume()
        // It takes the place of what was in memory.
        #expect(first.text(1) == "once more" && first.text(3) == "newest")
        try await first.store?.close()
    }

    @Test("Random replacements, writes, evictions and restarts are as in memory", arguments: Seeds.first(20, full: 500))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var cache = try await open()
        var model = Replacements()
        for step in 0..<300 {
            let number = random.below(8)
            let id = Memo(number).id
            switch random.below(12) {
            case 0: try await cache.flush()
            case 1: cache.collect()
            case 2:
                try await cache.store?.close()
                cache = try await open(isOnDemand: random.below(3) > 0)
            case 3, 4:
                let new = random.below(8)
                cache.replaceIdentifier(of: Memo.self, id, with: Memo(new, "\(step)"))
                model.replace(number, with: new, "\(step)")
            case 5, 6:
                cache.remove(Memo.self, id: id)
                model.texts[model.current(number)] = nil
            case 7:
                await cache.withLoaded(Memo.self, ids: [id]) { cache.update(Memo.self, id: id) { $0.text += "+" } }
                model.texts[model.current(number)]? += "+"
            case 8, 9:
                cache.set(Memo(number, "\(step)"))
                model.texts[number] = "\(step)"
            default:
                let found = try? await cache.fetch(Memo.self, id: id, .cacheOnly)
                #expect(found?.text == model.texts[model.current(number)], "seed \(seed), step \(step)")
            }
        }
        try await cache.store?.close()
        cache = try await open()
        let stored = cache.allValues(of: Memo.self).map { ($0.id.number, $0.text) }
        #expect(Dictionary(uniqueKeysWithValues: stored) == model.texts, "seed \(seed)")
        try await cache.store?.close()
    }
}

/// The texts of memos by their numbers, and the numbers that were replaced.
private struct Replacements {
    var texts: [Int: String] = [:]
    private var targets: [Int: Int] = [:]

    func current(_ number: Int) -> Int {
        var number = number
        while texts[number] == nil, let target = targets[number] { number = target }
        return number
    }

    mutating func replace(_ number: Int, with new: Int, _ text: String) {
        texts[new] = text
        let old = current(number)
        if old == new { return }
        texts[old] = nil
        targets[new] = nil
        targets[old] = new
    }
}

extension FlatCache {
    /// The text of the memo that is stored under an identifier itself.
    fileprivate func values(of number: Int) -> String? {
        allValues(of: Memo.self).first { $0.id == Memo(number).id }?.text
    }
}
