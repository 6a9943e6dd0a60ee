import Testing

@testable import FlatCache

/// What has the new identifier after a replacement.
@Suite("Replaced identifiers")
struct ReplacedIdentifierTests {
    private let cache = FlatCache()

    init() {
        cache.set(contentsOf: [Memo(id: "a"), Memo(id: "tmp", text: "old"), Memo(id: "b")])
    }

    /// Whether the identifier is replaced by a call of its own or in a transaction.
    private func replace(_ isInTransaction: Bool) -> IdentifierReplacement {
        isInTransaction ? cache.transaction { cache.replaceMemo("tmp", by: "7") } : cache.replaceMemo("tmp", by: "7")
    }

    @Test("The new entity has the place of the old one in the order of insertion", arguments: [false, true])
    func place(isInTransaction: Bool) {
        cache.buildIndex(.init(\Memo.text))
        let replacement = replace(isInTransaction)
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id) == ["a", "7", "b"])
        #expect(cache.query(.init(Memo.self)).values.map(\.id) == ["a", "7", "b"])
        #expect(cache.query(FlatCache.Query(Memo.self).filter(\.text, equals: "new")).values.map(\.id) == ["7"])
        #expect(cache.count(of: Memo.self) == 3)
        #expect(replacement.old == FlatCacheKey(Memo.self, id: "tmp"))
        #expect(replacement.new == FlatCacheKey(Memo.self, id: "7"))
        #expect(replacement.unchanged.isEmpty)
    }

    @Test("In the transaction itself, the new entity has the place of the old one")
    func placeInTransaction() {
        cache.transaction {
            cache.replaceMemo("tmp", by: "7")
            #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id) == ["a", "7", "b"])
            #expect(cache.text("tmp") == "new")
        }
    }

    @Test("An entity that is stored under the new identifier already keeps its place")
    func storedAlready() {
        cache.set(Memo(id: "7", text: "pushed"))
        cache.replaceMemo("tmp", by: "7")
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id) == ["a", "b", "7"])
        #expect(cache.text("7") == "new")
        #expect(cache.text("tmp") == "new")
    }

    @Test("A whole entity with the old identifier updates nothing", arguments: [false, true])
    func wholeEntity(isInTransaction: Bool) {
        cache.replaceMemo("tmp", by: "7")
        let late = Memo(id: "tmp", text: "late")
        let isUpdated = isInTransaction ? cache.transaction { cache.update(late) } : cache.update(late)
        #expect(!isUpdated && cache.text("7") == "new")
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id) == ["a", "7", "b"])
        #expect(cache.update(Memo(id: "7", text: "newer")) && cache.text("tmp") == "newer")
    }

    @Test("Lists and references have the new identifier at the place of the old one", arguments: [false, true])
    func names(dropsRemoved: Bool) {
        let list = cache.list("home", of: Memo.self, dropsRemoved: dropsRemoved)
        list.append(ids: ["a", "tmp", "b"])
        let both = cache.list("both", of: Memo.self, dropsRemoved: dropsRemoved)
        both.append(ids: ["7", "a", "tmp"])
        let reference = cache.reference("current", of: Memo.self, dropsRemoved: dropsRemoved)
        reference.id = "tmp"
        cache.replaceMemo("tmp", by: "7")
        #expect(Array(list.ids) == ["a", "7", "b"])
        #expect(Array(both.ids) == ["7", "a"])
        #expect(both.contains("7") && !both.state.ids.contains("tmp"))
        #expect(reference.id == "7")
        #expect(reference.value?.text == "new")
        // The rule for removed entities holds for the new identifier.
        cache.remove(Memo.self, id: "7")
        #expect(list.contains("7") == !dropsRemoved)
        #expect((reference.id == nil) == dropsRemoved)
    }

    static let folders: [(before: MemoFolder, after: MemoFolder)] = [
        (MemoFolder(id: 1, oneID: "tmp"), MemoFolder(id: 1, oneID: "7")),
        (MemoFolder(id: 1, optionalID: "tmp"), MemoFolder(id: 1, optionalID: "7")),
        (MemoFolder(id: 1, arrayIDs: ["a", "tmp", "b"]), MemoFolder(id: 1, arrayIDs: ["a", "7", "b"])),
        (MemoFolder(id: 1, arrayIDs: ["7", "tmp"]), MemoFolder(id: 1, arrayIDs: ["7"])),
        (MemoFolder(id: 1, setIDs: ["a", "tmp"]), MemoFolder(id: 1, setIDs: ["a", "7"])),
        (MemoFolder(id: 1, maybeIDs: ["tmp"]), MemoFolder(id: 1, maybeIDs: ["7"])),
        (
            MemoFolder(id: 1, nestedIDs: [["a"], [], ["b", "tmp"]]),
            MemoFolder(id: 1, nestedIDs: [["a"], [], ["b", "7"]])
        ),
        (MemoFolder(id: 1, keyedIDs: [1: "a", 2: "tmp"]), MemoFolder(id: 1, keyedIDs: [1: "a", 2: "7"])),
        (
            MemoFolder(id: 1, oneID: "tmp", optionalID: "tmp", arrayIDs: ["tmp"]),
            MemoFolder(id: 1, oneID: "7", optionalID: "7", arrayIDs: ["7"])
        ),
    ]

    @Test("Variables of all kinds have the new identifier", arguments: folders, [false, true])
    func variables(folder: (before: MemoFolder, after: MemoFolder), isInTransaction: Bool) {
        cache.set(folder.before)
        let other = MemoFolder(id: 2, oneID: "a", optionalID: "b")
        cache.set(other)
        let replacement = replace(isInTransaction)
        #expect(cache.get(MemoFolder.self, id: 1) == folder.after)
        #expect(cache.get(MemoFolder.self, id: 2) == other)
        #expect(replacement.changedOwners == [folder.before.flatCacheKey])
        #expect(replacement.unchanged.isEmpty)
    }

    @Test("An index of the relationships finds the owners, and has the new identifier", arguments: [false, true])
    func indexed(isInTransaction: Bool) {
        cache.set(contentsOf: (0..<20).map { Stone(id: $0, memoID: $0 % 2 == 0 ? "tmp" : "a") })
        cache.set(contentsOf: (0..<20).map { Memo(id: "child \($0)", parentID: $0 % 2 == 0 ? "tmp" : "a") })
        cache.buildIndex(.init(\Memo.parentID))
        _ = replace(isInTransaction)
        let query = FlatCache.Query(Memo.self)
        #expect(cache.query(query.filter(\.parentID, equals: "7")).values.count == 10)
        #expect(cache.query(query.filter(\.parentID, equals: "tmp")).values.isEmpty)
    }

    @Test("Constants of a Codable type have the new identifier, and other values with the same text remain")
    func constants() {
        func binder(_ id: String) -> Binder {
            Binder(
                id: 1,
                title: "tmp",
                memoID: id,
                memoIDs: ["a", id],
                byPage: [1: id, 2: "b"],
                maybeID: id,
                tabs: [Tab(color: "tmp", memoID: id), Tab(color: "red", memoID: "a")],
                folderID: "tmp"
            )
        }
        cache.set(binder("tmp"))
        let replacement = cache.replaceMemo("tmp", by: "7")
        #expect(cache.get(Binder.self, id: 1) == binder("7"))
        #expect(replacement.unchanged.isEmpty)
        #expect(replacement.changedOwners == [FlatCacheKey(Binder.self, id: 1)])
    }

    @Test("A constant that can't be replaced remains and is returned")
    func remaining() {
        cache.set(Stone(id: 1, memoID: "tmp"))
        cache.set(Leaf(id: 1, memoID: "tmp", isOpen: true))
        let replacement = cache.replaceMemo("tmp", by: "7")
        #expect(cache.get(Stone.self, id: 1)?.memoID == "tmp")
        #expect(cache.get(Leaf.self, id: 1)?.isOpen == true)
        let expected: Set = [
            IdentifierReplacement.UnchangedRelationship(
                owner: FlatCacheKey(Stone.self, id: 1),
                property: "Stone.memoID"
            ),
            IdentifierReplacement.UnchangedRelationship(owner: FlatCacheKey(Leaf.self, id: 1), property: "Leaf.memoID"),
        ]
        #expect(Set(replacement.unchanged) == expected)
        #expect(replacement.changedOwners.isEmpty)
        // What reads the entity by the identifier still finds it.
        #expect(Stone.relationships.memo.required(1, in: cache) == "new")
    }

    @Test("No delete rule is applied, and a relationship to itself is replaced")
    func itself() {
        cache.set(Memo(id: "child", parentID: "tmp"))
        cache.replaceIdentifier(of: Memo.self, "tmp", with: Memo(id: "7", text: "new", parentID: "tmp"))
        #expect(cache.get(Memo.self, id: "child")?.parentID == "7")
        #expect(cache.get(Memo.self, id: "7")?.parentID == "7")
    }

    @Test("If the transaction throws, nothing remains of the replacement", arguments: [false, true])
    func undone(isNested: Bool) {
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["tmp"])
        cache.set(MemoFolder(id: 1, oneID: "tmp"))
        let seen = Recorder<String?>()
        let subscription = cache.observe(Memo.self, id: "tmp", initial: false) { seen.record($0.value?.text) }
        func attempt() {
            try? cache.transaction {
                cache.replaceMemo("tmp", by: "7")
                #expect(cache.text("tmp") == "new")
                throw RejectedError()
            }
        }
        if isNested { cache.transaction { attempt() } } else { attempt() }
        #expect(cache.text("tmp") == "old")
        #expect(cache.text("7") == nil)
        #expect(Array(list.ids) == ["tmp"])
        #expect(cache.get(MemoFolder.self, id: 1)?.oneID == "tmp")
        #expect(seen.elements.isEmpty)
        cache.set(Memo(id: "tmp", text: "newer"))
        #expect(seen.elements == ["newer"])
        #expect(cache.currentID(of: Memo.self, "tmp") == "tmp")
        subscription.cancel()
    }

    @Test("The same identifier only stores the entity")
    func same() {
        cache.replaceMemo("tmp", by: "tmp")
        #expect(cache.text("tmp") == "new")
        #expect(cache.count(of: Memo.self) == 3)
    }

    @Test("Cases of enums with synthesized coding have the new identifier, and other associated values remain")
    func cases() {
        let cache = FlatCache()
        cache.set(Memo(id: "tmp"))
        let pins: [Board.Pin] = [.note(text: "tmp"), .memo("tmp", label: "tmp"), .nothing, .memo("x", label: "tmp")]
        cache.set(Board(id: 1, pin: .memo("tmp", label: "tmp"), pins: pins, maybe: .memo("tmp", label: "")))
        let replacement = cache.replaceMemo("tmp", by: "7")
        let expected: [Board.Pin] = [.note(text: "tmp"), .memo("7", label: "tmp"), .nothing, .memo("x", label: "tmp")]
        #expect(
            cache.get(Board.self, id: 1)
                == Board(id: 1, pin: .memo("7", label: "tmp"), pins: expected, maybe: .memo("7", label: ""))
        )
        #expect(replacement.unchanged.isEmpty)
    }
}

extension FlatCache.Relationship<Stone, FlatCache.ToOne<Memo>> {
    /// The text of the related memo of a stone.
    fileprivate func required(_ id: Int, in cache: FlatCache) -> String? {
        cache.get(Stone.self, id: id).flatMap { try? required(by: $0, in: cache).text }
    }
}
