import Testing

@testable import FlatCache

@Suite("All relationships, as the build plugin lists them")
struct NestedOwnerTests {
    /// The identifiers that the relationships of a value hold, by the names of the related types.
    private func related<Owner: RelationshipOwner>(of owner: Owner) -> [String: [String]] {
        let visitor = Recorder()
        visitor.visitRelated(of: owner)
        return visitor.found.mapValues { $0.sorted() }
    }

    @Test("The values in the properties of an entity are followed, in optionals, collections and wrappers")
    func collections() {
        #expect(related(of: Board(id: 1)) == [:])
        func poll(_ ids: String...) -> Poll { Poll(optionIDs: ids) }
        var board = Board(id: 1, left: poll("a"), right: poll("b"))
        board.poll = poll("c", "d")
        board.polls = [poll("e"), poll("f")]
        board.named = ["x": poll("g")]
        board.chosen = [poll("h"), poll("i")]
        board.rows = [[nil, poll("j")], [], [poll("k")]]
        board.pages = ["y": [poll("l"), poll("m")], "z": []]
        board.kept = poll("n")
        board.frame.inner = Frame.Inner(poll: poll("o"), frames: [Frame(inner: Frame.Inner(poll: poll("p")))])
        board.hide(poll("unread"))
        #expect(related(of: board) == ["Message": "abcdefghijklmnop".map(String.init)])
    }

    @Test("Values that contain others of their type are followed to their leaves")
    func recursion() {
        let thread = Thread.answers([
            .message("a"), .pair(Poll(optionIDs: ["b"]), second: .answers([.message("c"), .closed])), .answers([]),
        ])
        #expect(related(of: thread) == ["Message": ["a", "b", "c"]])
        var board = Board(id: 1)
        board.thread = thread
        #expect(related(of: board) == ["Message": ["a", "b", "c"]])

        var remark = Remark(id: 1, messageID: "a", readerIDs: ["7"])
        remark.answers = [Remark(id: 2, messageID: "b", answers: [Remark(id: 3, readerIDs: ["8", "9"])])]
        remark.mentionedMessageIDs = ["x": "c"]
        remark.quoted = .conversation(5)
        #expect(
            related(of: remark) == ["Message": ["a", "b", "c"], "Person": ["7", "8", "9"], "Conversation": ["5"]]
        )
    }

    @Test("The types that values refer to are known without a value")
    func types() {
        func types<Owner: RelationshipOwner>(of owner: Owner.Type) -> Set<String> {
            var types = RelatedTypes()
            types.addTypes(of: owner)
            return Set(types.related.map { "\($0)" })
        }
        #expect(types(of: Board.self) == ["Message"])
        #expect(types(of: Remark.self) == ["Message", "Person", "Conversation"])
        #expect(types(of: Archive.self) == ["Attachment", "Conversation"])
    }

    @Test("A type can list the relationships of a property that other files can't read")
    func ownList() {
        #expect(related(of: Envelope(id: 1, poll: Poll(optionIDs: ["a"]))) == ["Message": ["a"]])
    }
}

/// A visitor that keeps what it is given.
private final class Recorder: IDVisitor {
    private(set) var found: [String: [String]] = [:]

    func visit<Related: Cachable>(_ type: Related.Type, _ ids: [Related.ID]) {
        if !ids.isEmpty { found["\(type)", default: []] += ids.map { "\($0)" } }
    }
}
