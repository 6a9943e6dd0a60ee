#if DEBUG
import Testing

@testable import FlatCache

// One at a time, because each looks for all living caches with a letter.
@Suite("Accessors of values from another cache", .serialized)
struct OtherCacheTests {
    /// An accessor of a letter.
    struct Accessor: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isWriting: Bool
        let use: @Sendable (inout Letter) async -> Void

        init(_ name: String, isWriting: Bool = false, _ use: @escaping @Sendable (inout Letter) async -> Void) {
            testDescription = name
            self.isWriting = isWriting
            self.use = use
        }
    }

    static let accessors: [Accessor] = [
        Accessor("sender") { #expect($0.sender == nil) },
        Accessor("sender(in:)") { #expect($0.sender(in: .current) == nil) },
        Accessor("require(_:in:)") { letter in
            let owner = letter
            #expect(throws: RelationshipError.self) { _ = try owner.require(\.sender) }
        },
        Accessor("reader") { #expect($0.reader == nil) },
        Accessor("enclosures") { #expect($0.enclosures.isEmpty) },
        Accessor("copies(in:)") { #expect($0.copies(in: .current)?.isEmpty == true) },
        Accessor("signers") { #expect($0.signers.isEmpty) },
        Accessor("rows") { #expect($0.rows.isEmpty) },
        Accessor("answered") { #expect($0.answered == nil) },
        Accessor("fetchSender(_:in:isolation:)", isWriting: true) { letter in
            #expect(await (try? letter.fetchSender()) == nil)
        },
        Accessor("setSender(_:in:)", isWriting: true) { $0.setSender(Sender(id: 2)) },
        Accessor("reader", isWriting: true) { $0.reader = Sender(id: 2) },
        Accessor("enclosures", isWriting: true) { $0.enclosures = [] },
        Accessor("setSigners(_:in:)", isWriting: true) { $0.setSigners(["a": Sender(id: 2)]) },
        Accessor("setRows(_:in:)", isWriting: true) { $0.setRows([[Sender(id: 2)]]) },
        Accessor("setAnswered(_:in:)", isWriting: true) {
            let answer = Letter(id: 9, answeredID: nil)
            try? $0.setAnswered(answer)
        },
    ]

    private let letter = Letter(
        id: 1,
        readerID: 1,
        enclosureIDs: [2],
        copyIDs: [2],
        signerIDs: ["a": 1],
        rowIDs: [[1]],
        answeredID: 9
    )

    /// What is said while a body runs with a current cache.
    private func notes(in current: FlatCache, _ body: () async -> Void) async -> [String] {
        let (said, sink) = AsyncStream.makeStream(of: String.self)
        let notes = DeveloperNotes { sink.yield($0) }
        await DeveloperNotes.$current.withValue(notes) { await FlatCache.withCurrent(current) { await body() } }
        sink.finish()
        return await said.reduce(into: []) { $0.append($1) }
    }

    @Test(
        "An accessor that finds nothing or stores says once that another cache has its entities",
        arguments: accessors
    )
    func otherCache(_ accessor: Accessor) async throws {
        let home = FlatCache(name: "account 7")
        home.set(letter)
        home.set(Sender(id: 1))
        let other = FlatCache(name: "account 8")
        other.set(Sender(id: 3))
        let said = await notes(in: other) {
            for _ in 0..<2 {
                var letter = letter
                await accessor.use(&letter)
                // What it has stored.
                other.remove(Letter.self, id: 9)
            }
        }
        let note = try #require(said.first)
        #expect(said.count == 1)
        let what = accessor.isWriting ? "stores" : "found nothing"
        #expect(note.hasPrefix("'ReferenceTests.Letter.\(accessor.testDescription)' \(what) in a cache"))
        #expect(note.contains(#"FlatCache("account 8"): "#))
        #expect(note.contains(#"FlatCache("account 7"): 2 entities of 2 types"#))
    }

    @Test("A backlink that finds nothing says it, too")
    func backlink() async {
        let home = FlatCache()
        home.set(Sender(id: 1))
        let said = await notes(in: FlatCache()) { #expect(Sender(id: 1).letters.isEmpty) }
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("'ReferenceTests.Sender.letters' found nothing in a cache") == true)
        withExtendedLifetime(home) {}
    }

    /// The situations in which nothing is said.
    enum Quiet: CaseIterable {
        case found, ownerIsStored, noOtherCache, otherIsGone, otherHasNone, ownerInTransaction, noIdentifiers
    }

    @Test("Nothing is said of other misses", arguments: Quiet.allCases)
    func quiet(_ situation: Quiet) async {
        let cache = FlatCache()
        var other: FlatCache? = situation == .noOtherCache ? nil : FlatCache()
        if situation == .otherHasNone { other?.set(Sender(id: 1)) } else { other?.set(letter) }
        if situation == .otherIsGone { other = nil }
        if situation == .found { cache.set(Sender(id: 1)) }
        if situation == .ownerIsStored { cache.set(Letter(id: 2, answeredID: nil)) }
        let said = await notes(in: cache) {
            switch situation {
            case .ownerInTransaction:
                cache.transaction {
                    cache.set(letter)
                    #expect(letter.sender == nil)
                }
            case .noIdentifiers:
                let letter = Letter(id: 1, answeredID: nil)
                #expect(letter.enclosures.isEmpty && letter.copies == nil && letter.answered == nil)
            default: #expect((letter.sender != nil) == (situation == .found))
            }
        }
        #expect(said == [])
        withExtendedLifetime(other) {}
    }

    @Test("A cache is printed with its name")
    func name() {
        #expect("\(FlatCache(name: "account 7"))" == #"FlatCache("account 7"): 0 entities"#)
        #expect("\(FlatCache())" == "FlatCache: 0 entities")
        #expect(FlatCache.shared.name == "shared")
    }
}
#endif
