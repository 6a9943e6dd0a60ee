import FlatCache
import Foundation
import Testing

@Suite("Requests at the same time")
struct RequestOrderTests {
    let cache = FlatCache()
    let decoder = JSONDecoder()

    private func load(_ names: KeyValuePairs<Int, String>, after body: () async throws -> Void) async throws {
        _ = try await cache.load([Writer].self, with: decoder.decode) {
            try await body()
            return Writer.response(names)
        }
    }

    private var names: [Int: String] {
        Dictionary(uniqueKeysWithValues: cache.allValues(of: Writer.self).map { ($0.id, $0.name) })
    }

    @Test("F4: The response to the older request doesn't undo what the newer one has stored", arguments: [false, true])
    func older(isEqual: Bool) async throws {
        cache.set(Writer(id: 1, name: "newer"))
        try await load([1: "older", 2: "older", 3: "older"]) {
            // The newer response counts also if it is equal to what is stored.
            try await load(isEqual ? [1: "newer"] : [1: "newer", 2: "newer"]) {}
        }
        #expect(names == [1: "newer", 2: isEqual ? "older" : "newer", 3: "older"])
    }

    @Test("F4: The response to the newer request replaces what the older one has stored meanwhile")
    func newer() async throws {
        cache.set(contentsOf: [Writer(id: 1, name: "old"), Writer(id: 2, name: "old")])
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let older = Task {
            try await load([1: "older", 2: "older", 3: "older", 4: "older"]) {
                begin.finish()
                for await _ in ended {}
            }
        }
        for await _ in began {}
        try await load([1: "newer", 2: "newer", 3: "newer", 5: "newer"]) {
            end.finish()
            try await older.value
            #expect(names[1] == "older")
            // What others write stays.
            cache.set(Writer(id: 2, name: "set"))
        }
        #expect(names == [1: "newer", 2: "set", 3: "newer", 4: "older", 5: "newer"])
    }

    @Test("F4: A patch of the newer request is applied to what the older one has stored meanwhile")
    func newerPatch() async throws {
        cache.set(Account(id: "1", name: "old"))
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let older = Task {
            _ = try await cache.load {
                begin.finish()
                for await _ in ended {}
                return Visit(id: "1", count: 2)
            }
        }
        for await _ in began {}
        let stored = try await cache.load {
            end.finish()
            try await older.value
            return [Visit(id: "1", count: 3)]
        }
        #expect(stored.value?.first?.visits == 5)
    }

    @MainActor final class Model {
        let cache = FlatCache()
        var isLoading = false
        var names: [String] = []

        func refresh() async throws {
            let stored = try await cache.load([Writer].self, with: JSONDecoder().decode) {
                isLoading = true
                await Task.yield()
                MainActor.assertIsolated()
                isLoading = false
                return Writer.response([1: "A"])
            }
            MainActor.assertIsolated()
            names = stored.value?.map(\.name) ?? []
            _ = try await cache.load {
                MainActor.assertIsolated()
                isLoading = true
                return try JSONDecoder().decode(Payload<[Writer]>.self, from: Writer.response([1: "A"]))
            }
        }
    }

    actor Other {
        let cache = FlatCache()
        private var count = 0

        func refresh() async throws -> Int {
            let stored = try await cache.load([Writer].self, with: JSONDecoder().decode) {
                self.assertIsolated()
                count += 1
                return Writer.response([1: "A"])
            }
            return count + (stored.value?.count ?? 0)
        }
    }

    @Test("The request runs on the caller's actor")
    func isolation() async throws {
        let model = Model()
        try await model.refresh()
        #expect(await model.names == ["A"])
        #expect(await model.isLoading)
        #expect(try await Other().refresh() == 2)
    }
}
