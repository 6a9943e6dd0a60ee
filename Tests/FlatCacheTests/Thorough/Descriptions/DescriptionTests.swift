import Foundation
import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Descriptions", .mayBlock)
struct DescriptionTests {
    @Test("A value is printed as a line that names its type, identifier, counts and state", arguments: PrintedValue.all)
    func line(_ value: PrintedValue) async throws {
        let cache = FlatCache.forPrinting()
        let printed = try await value.make(cache)
        #expect("\(printed)" == value.line)
        if printed is any CustomStringConvertible { #expect(String(reflecting: printed) == value.line) }
    }

    @Test("Lines and dumps are short", arguments: PrintedValue.all)
    func length(_ value: PrintedValue) async throws {
        let cache = FlatCache.forPrinting()
        let printed = try await value.make(cache)
        let dumped = dump(printed)
        #expect(!"\(printed)".contains { $0.isNewline })
        // The messages of errors have a remedy, too.
        #expect("\(printed)".count <= (printed is any Error ? 300 : 200))
        #expect(dumped.split(whereSeparator: \.isNewline).count <= 20, "\(dumped)")
    }

    @Test("Every public type has a line, or a reason why nobody prints it")
    func allTypes() throws {
        let list = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../../.ci/api.txt")
        let text = try String(contentsOf: list, encoding: .utf8)
        let other = try #require(text.firstRange(of: "# The public API of FlatCacheStore"))
        let cases = Set(text.matches(of: /(?m)^case ([\w.]+)\.\w+/).map { String($0.1) })
        let types = text[..<other.lowerBound]
            .matches(of: /(?m)^(?:@\w+ )*(?:final )?(struct|class|enum) ([\w.]+)/)
            // An enum without cases has no values.
            .filter { $0.1 != "enum" || cases.contains(String($0.2)) }
            .map { String($0.2) }.filter { !$0.contains("._") }
        #expect(types.count > 90)
        let unprinted = [
            "CachedListIDs.Iterator": "is used by loops",
            "CacheUpdates.AsyncIterator": "is used by loops",
            "CommitUpdates.AsyncIterator": "is used by loops",
            "FetchAnswer": "can't be copied, and so not printed",
            "FlatCache.Statistics": "is printed as a table with a line for each type",
        ]
        let named = Set(PrintedValue.all.map { $0.type }).union(unprinted.keys)
        #expect(Set(types).subtracting(named).sorted() == [])
        #expect(named.subtracting(types).sorted() == [])
    }

    @Test("Long texts are cut, and line breaks are left out")
    func longTexts() {
        let name = String(repeating: "a\n", count: 200)
        let line = "\(FlatCache.forPrinting().list(name, of: Toast.self))"
        #expect(line.count == 200 && line.hasSuffix("…"))
        let query = FlatCache.Query(Toast.self).filter(\.likes, in: 0..<5_000 as Range).filter(\.title, equals: "a\nb")
        #expect("\(query)".hasSuffix(#": \Toast.likes in 0..<5000, \Toast.title == "a\nb""#))
    }

    @Test("An error inside of another one is printed by its own description, in one line")
    func innerErrors() {
        let error = FetchError.failed([Toast.flatCacheKey(id: "1")], FetchError.failed([], Rejection()))
        #expect("\(error)".contains("has failed: The fetcher of  has failed: the server refuses. Fetch"))
        let mutations = KeyMutations(pending: [], lastError: Poem())
        #expect("\(mutations)" == "KeyMutations: 0 pending, last error: one two")
    }

    private struct Poem: Error, CustomStringConvertible {
        var description: String { "one\ntwo" }
    }
}

@Suite("Descriptions only look", .mayBlock)
struct QuietDescriptionTests {
    @Test("Printing is no tracked read", arguments: PrintedValue.all)
    func tracking(_ value: PrintedValue) async throws {
        let cache = FlatCache.forPrinting()
        let printed = try await value.make(cache)
        let changes = Recorder<Int>()
        withObservationTracking {
            _ = dump(printed)
        } onChange: {
            changes.record(1)
        }
        cache.change()
        #expect(changes.count == 0)
    }

    @Test("What is observed doesn't depend on what it prints", arguments: PrintedValue.all)
    func observing(_ value: PrintedValue) async throws {
        let cache = FlatCache.forPrinting()
        let printed = Held(value: try await value.make(cache))
        let runs = Recorder<Int>()
        let subscription = cache.observe {
            runs.record("\(printed.value)".count)
            return 0
        } onChange: { _ in
        }
        cache.change()
        #expect(runs.count == 1)
        subscription.cancel()
    }

    @Test("Printing is no use for limits", arguments: PrintedValue.all)
    func limits(_ value: PrintedValue) async throws {
        let cache = FlatCache.forPrinting()
        let printed = try await value.make(cache)
        cache.forgetUses(of: Toast.self)
        cache.forgetUses(of: Cook.self)
        dump(printed)
        _ = cache.read { dump(printed) }
        #expect(cache.usedCount(of: Toast.self) + cache.usedCount(of: Cook.self) == 0)
    }

    @Test("Printing a query doesn't call its closures, or look for its answer")
    func closures() {
        let calls = Recorder<Int>()
        let query = FlatCache.Query(Toast.self).filter { _ in
            calls.record(1)
            return true
        }
        let posts = FlatCache.forPrinting().query(query)
        dump([posts, posts.sum(of: \.likes), posts.grouped(by: \.title)] as [Any])
        #expect(calls.count == 0)
    }

    @Test("A transaction sees its own list, and isn't run again because others change the number of entities")
    func transactions() {
        let cache = FlatCache.forPrinting()
        var runs = 0
        cache.transaction {
            runs += 1
            let list = cache.list("home", of: Toast.self)
            list.append(ids: ["3"])
            #expect("\(list)".hasSuffix("4 entities"))
            #expect("\(cache)" == "FlatCache: 4 entities of 2 types")
            onThreads(1) { _ in cache.set(Toast(id: "5")) }
        }
        #expect(runs == 1)
        #expect("\(cache)" == "FlatCache: 5 entities of 2 types")
    }

    private struct Held: @unchecked Sendable {  // The values are printed by one thread after the other.
        let value: Any
    }
}

extension FlatCache {
    /// Changes all that the values print.
    fileprivate func change() {
        list("home", of: Toast.self).removeAll()
        reference("me", of: Cook.self).id = "8"
        set(Toast(id: "9"))
        removeAll()
    }
}

/// What `dump` prints for a value.
@discardableResult private func dump(_ value: Any) -> String {
    var text = ""
    Swift.dump(value, to: &text)
    return text
}
