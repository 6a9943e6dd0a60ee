import Foundation
import Observation
import Testing

@testable import FlatCache

/// A task that is compared by its identifier alone.
private protocol ComparedByID: Cachable, Equatable where ID == Int {
    init(id: Int, title: String, isOpen: Bool)
    var title: String { get }
    var isOpen: Bool { get }
}

@Suite("Entities whose == leaves out properties")
struct PartialEqualityTests {
    /// One with the conformance.
    struct Marked: ComparedByID, PartialEquality {
        let id: Int
        var title = "a"
        var isOpen = true
        static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
    }

    /// One without it.
    struct Unmarked: ComparedByID {
        let id: Int
        var title = "a"
        var isOpen = true
        static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
    }

    /// The ways to follow an entity.
    enum Way: CaseIterable {
        case key, type, tracked, handle, derivedOptional, derivedDictionary, query, derivedQuery, sections, list,
            derivedList
    }

    /// Follows the entity 1, and returns the number of notifications of a write.
    private func notifications<Value: ComparedByID>(
        _ type: Value.Type,
        _ way: Way,
        of write: (FlatCache) -> Void
    ) -> Int {
        let cache = FlatCache()
        cache.set(contentsOf: (1...2).map { Value(id: $0, title: "a", isOpen: true) })
        let list = cache.list("all", of: Value.self)
        list.append(Value(id: 1, title: "a", isOpen: true))
        let calls = Recorder<Void>()
        var subscription: CacheSubscription?
        switch way {
        case .key: subscription = cache.observe(Value.self, id: 1) { _ in calls.record(()) }
        case .type: subscription = cache.observe(all: Value.self) { _ in calls.record(()) }
        case .tracked:
            withObservationTracking {
                _ = cache.tracked { $0.get(Value.self, id: 1) }
            } onChange: {
                calls.record(())
            }
        case .handle:
            withObservationTracking {
                _ = Cached(Value.self, id: 1, in: cache).value
            } onChange: {
                calls.record(())
            }
        case .derivedOptional:
            subscription = cache.observe {
                cache.get(Value.self, id: 1)
            } onChange: { _ in
                calls.record(())
            }
        case .derivedDictionary:
            subscription = cache.observe {
                [1: cache.get(Value.self, ids: [1])]
            } onChange: { _ in
                calls.record(())
            }
        case .query: subscription = cache.query(FlatCache.Query(Value.self)).observe { _ in calls.record(()) }
        case .derivedQuery:
            subscription = cache.observe {
                cache.query(FlatCache.Query(Value.self)).values
            } onChange: { _ in
                calls.record(())
            }
        case .sections:
            subscription = cache.query(FlatCache.Query(Value.self)).grouped(by: \.isOpen).observe { _ in
                calls.record(())
            }
        case .list: subscription = list.observe { _ in calls.record(()) }
        case .derivedList:
            subscription = cache.observe {
                list.values
            } onChange: { _ in
                calls.record(())
            }
        }
        let before = calls.count
        write(cache)
        defer { subscription?.cancel() }
        return calls.count - before
    }

    @Test("N1: A write of an equal value notifies if == leaves out properties", arguments: Way.allCases)
    func marked(way: Way) {
        #expect(notifications(Marked.self, way) { $0.set(Marked(id: 1, title: "b")) } == 1)
    }

    #if DEBUG
    @Test("An equal value that differs doesn't notify, and that is said once", arguments: Way.allCases)
    func unmarked(way: Way) {
        let said = Recorder<String>()
        DeveloperNotes.$current.withValue(DeveloperNotes { said.record($0) }) {
            let count = notifications(Unmarked.self, way) { cache in
                for title in ["b", "c"] { cache.set(Unmarked(id: 1, title: title)) }
            }
            #expect(count == 0)
        }
        #expect(said.count >= 1)
        #expect(
            said.elements.allSatisfy { $0.contains("Unmarked") && $0.contains("differ in") && $0.contains("title'") }
        )
        #expect(Set(said.elements).count == said.count)
    }
    #endif

    /// The ways to ask for open tasks.
    enum Condition: CaseIterable {
        case property, index, closure
    }

    @Test("The observers of a query agree with its count", arguments: Condition.allCases, [1, 2])
    func count(condition: Condition, limit: Int) {
        let cache = FlatCache()
        if condition == .index { cache.buildIndex(FlatCache.Index(\Unmarked.isOpen)) }
        cache.set(contentsOf: (1...2).map { Unmarked(id: $0) })
        let all = FlatCache.Query(Unmarked.self)
        let open = condition == .closure ? all.filter { $0.isOpen } : all.filter(\.isOpen, equals: true)
        let query = cache.query(open.limit(limit))
        let (counts, derived, sections) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
        let subscriptions = [
            query.observe { counts.record($0.values.count) },
            cache.observe {
                query.count
            } onChange: {
                derived.record($0)
            },
            query.grouped(by: \.title).observe { sections.record($0.sections.map(\.values.count).reduce(0, +)) },
        ]
        for (id, isOpen) in [(1, false), (2, false), (1, true), (2, true)] {
            cache.set(Unmarked(id: id, isOpen: isOpen))
            for recorder in [counts, derived, sections] { #expect(recorder.elements.last == query.count) }
        }
        for subscription in subscriptions { subscription.cancel() }
    }

    /// An entity with values that are compared by a part of them.
    struct Board: Cachable, Codable {
        struct Pin: Codable, Equatable {
            var id = 1
            var text = "old"
            static func == (lhs: Pin, rhs: Pin) -> Bool { lhs.id == rhs.id }
        }

        let id: Int
        var likes = 1
        var pin = Pin()
        var pins = [Pin()]
        var latest: Pin? = Pin()
    }

    @Test("What others write while a mutation is sent stays, also where == doesn't see it")
    func confirmed() async throws {
        let cache = FlatCache()
        cache.set(Board(id: 1))
        let answer = ManualAnswer<Void>()
        let like = cache.mutate(Board.self, id: 1) {
            $0.likes += 1
        } send: {
            try await answer()
            return Board(id: 1, likes: 2)
        }
        await answer.hasBegun()
        cache.update(Board.self, id: 1) { board in
            board.pin.text = "new"
            board.pins[0].text = "new"
            board.latest?.text = "new"
        }
        answer.succeed()
        _ = try await like.value
        let board = try #require(cache.get(Board.self, id: 1))
        #expect(board.likes == 2)
        #expect([board.pin, board.pins[0], board.latest ?? board.pin].map(\.text) == ["new", "new", "new"])
    }
}

#if DEBUG
@Suite("Differences of equal values")
struct HiddenDifferenceTests {
    /// A structure that is compared by a part of it.
    struct Part: Equatable {
        var id = 1
        var names: [String] = ["a"]
        static func == (lhs: Part, rhs: Part) -> Bool { lhs.id == rhs.id }
    }

    struct Whole: Equatable {
        var part: Part? = Part()
        var kind = Kind.one(Part())
        var text = "é"
        var tags: Set<String> = ["a", "b"]
        var ratio = 0.0
    }

    enum Kind: Equatable {
        case one(Part), two
    }

    /// A structure with a case that can't be compared.
    struct Labelled: Equatable {
        enum Label { case red, green }

        var label = Label.red
        var ratio = Double.nan
        static func == (lhs: Labelled, rhs: Labelled) -> Bool { true }
    }

    private struct Page<Element: Equatable>: Equatable {
        var element: Element
        static func == (lhs: Page, rhs: Page) -> Bool { true }
    }

    private func said(_ first: some Equatable, _ second: some Equatable) -> [String] {
        let said = Recorder<String>()
        func compare<Value: Equatable>(_ first: Value) {
            if let second = second as? Value { HiddenDifference.sayOnce(first, second) }
        }
        DeveloperNotes.$current.withValue(DeveloperNotes { said.record($0) }) { compare(first) }
        return said.elements
    }

    @Test("A difference is found at every depth")
    func depth() {
        #expect(said(Whole(), Whole(part: Part(names: ["b"]))).first?.contains("differ in 'part.some.names'") == true)
        #expect(said(Whole(), Whole(kind: .one(Part(names: [])))).first?.contains("differ in 'kind.one.names'") == true)
        #expect(said([1: Part()], [1: Part(names: [])]) == [])
    }

    @Test("Cases that aren't Equatable are compared, too")
    func cases() {
        #expect(said(Labelled(), Labelled(label: .green)).first?.contains("differ in 'label'") == true)
        #expect(said(Labelled(), Labelled()) == [])
    }

    @Test("The message names an extension that can be written, or none")
    func remedies() {
        func remedy(_ first: some Equatable, _ second: some Equatable) -> Substring? {
            said(first, second).first?.firstRange(of: "Compare all properties").map {
                said(first, second)[0][$0.upperBound...]
            }
        }
        let name = String(reflecting: Self.self)
        let parts = (Part(), Part(names: []))
        #expect(remedy(parts.0, parts.1) == ", or write 'extension \(name).Part: PartialEquality {}'")
        #expect(
            remedy(Page(element: [1]), Page(element: [2])) == ", or write 'extension \(name).Page: PartialEquality {}'"
        )
        #expect(remedy([parts.0], [parts.1]) == "")
        #expect(remedy(Optional(parts.0), Optional(parts.1)) == "")
    }

    @Test("Nothing is said of what the library compares")
    func ofLibrary() {
        let said = Recorder<String>()
        DeveloperNotes.$current.withValue(DeveloperNotes { said.record($0) }) {
            let cache = FlatCache()
            let list = cache.list("all", of: PartialEqualityTests.Board.self)
            list.replace(withIDs: [1, 2])
            let changes = Recorder<Void>()
            withObservationTracking {
                _ = (list.ids, list.values)
            } onChange: {
                changes.record(())
            }
            list.replace(with: (1...2).map { PartialEqualityTests.Board(id: $0) })
            #expect(changes.count == 1)
        }
        #expect(said.elements == [])
    }

    @Test("Other forms of the same value are none")
    func none() {
        let tags = Set((1...20).map(String.init))
        var other = Set(tags.sorted().reversed())
        other.reserveCapacity(4_000)
        #expect(said(Whole(text: "\u{e9}", tags: tags), Whole(text: "e\u{301}", tags: other, ratio: -0.0)) == [])
        #expect(said("abcdefghijklmnopqrstuvwxyz", String("xabcdefghijklmnopqrstuvwxyz".dropFirst())) == [])
        #expect(said("xab".dropFirst(), "ab"[...]) == [])
        #expect(said(1..<2, 1..<2) == [])
        let lengths = [(1, UnitLength.kilometers), (1_000, .meters)].map { Measurement(value: $0, unit: $1) }
        #expect(lengths[0] == lengths[1] && said(lengths[0], lengths[1]) == [])
    }
}
#endif
