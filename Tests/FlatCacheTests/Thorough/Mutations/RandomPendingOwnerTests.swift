import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Pending owners, random and beside other threads", .mayBlock)
struct RandomPendingOwnerTests {
    @Test("Pending and confirmed owners follow the rules as in a plain model", arguments: Seeds.first(40, full: 1_000))
    func sequences(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        var run = OwnerRun()
        for step in 0..<60 {
            await run.makeStep(&random)
            run.check("seed \(seed), step \(step)")
        }
        while !run.pending.isEmpty { await run.end(&random) }
        run.check("seed \(seed), end")
        #expect(run.cache.pendingMutations.isEmpty)
        #expect(run.cache.registry.table(of: Folder.self).takeUnretainedValue().layeredKeyCount == 0)
        #expect(run.cache.registry.table(of: Document.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("One that was shown beside its folder isn't shown after the folder, however threads run")
    func race() async {
        for round in 0..<100 {
            let cache = FlatCache()
            cache.set(Folder(id: 1))
            let answer = ManualAnswer<Document>()
            let states = Recorder<String>()
            let subscription = cache.observe {
                "\(cache.contains(Folder.self, id: 1)) \(cache.count(of: Document.self))"
            } onChange: {
                states.record($0)
            }
            let mutation = Protected<Mutation<Document>?>(nil)
            onThreads(3) { thread in
                switch thread {
                case 0:
                    let begun = cache.mutate(inserting: Document(id: -1, folderID: 1)) { try await answer() }
                    mutation.withLock { $0 = begun }
                case 1: cache.remove(Folder.self, id: 1)
                default: answer.succeed(Document(id: 9, folderID: 1))
                }
            }
            _ = await mutation.withLock { $0 }?.ended()
            let seen = states.elements
            let isOrphan = seen.contains("true 1") && seen.last == "false 1"
            #expect(!isOrphan, "round \(round): \(seen)")
            subscription.cancel()
        }
    }
}

/// A cache with folders and documents, and its model.
private struct OwnerRun {
    /// A folder, or a document if it isn't one.
    struct Node: Equatable {
        var isFolder: Bool
        var folder: Int
    }

    struct Pending {
        let id: Int
        let node: Node
        let isInsertion: Bool
        let answer: ManualAnswer<Void>
        let mutation: PendingMutation
        /// Whether no rule has removed it.
        var isShown = true
    }

    let cache = FlatCache()
    private(set) var pending: [Pending] = []
    private var confirmed: [Int: Node] = [:]
    private var lastID = 0

    mutating func makeStep(_ random: inout SeededGenerator) async {
        let node = Node(isFolder: random.below(2) == 0, folder: random.below(lastID + 3))
        switch random.below(9) {
        case 0, 1:
            lastID += 1
            set(lastID, node)
        case 2...4: begin(node, isInsertion: random.below(2) == 0)
        case 5: await end(&random)
        default: remove(random.below(lastID + 3), &random)
        }
    }

    private mutating func set(_ id: Int, _ node: Node) {
        confirmed[id] = node
        if node.isFolder {
            cache.set(Folder(id: id, parentID: node.folder))
        } else {
            cache.set(Document(id: id, folderID: node.folder))
        }
    }

    private mutating func begin(_ node: Node, isInsertion: Bool) {
        lastID += 1
        let (id, answer) = (lastID, ManualAnswer<Void>())
        let mutation: PendingMutation
        if isInsertion && !node.isFolder {
            mutation = cache.mutate(inserting: Document(id: id, folderID: node.folder)) {
                try await answer()
                return Document(id: id + 1_000, folderID: node.folder)
            }
        } else {
            mutation = cache.mutate {
                if node.isFolder {
                    $0.set(Folder(id: id, parentID: node.folder))
                } else {
                    $0.set(Document(id: id, folderID: node.folder))
                }
            } send: {
                try await answer()
            }
        }
        let isInsertion = isInsertion && !node.isFolder
        pending.append(Pending(id: id, node: node, isInsertion: isInsertion, answer: answer, mutation: mutation))
    }

    mutating func end(_ random: inout SeededGenerator) async {
        if pending.isEmpty { return }
        let ended = pending.remove(at: random.below(pending.count))
        if random.below(3) == 0 { ended.answer.fail() } else { ended.answer.succeed() }
        do {
            try await ended.mutation.waitForEnd()
            if ended.isShown { confirmed[ended.id + (ended.isInsertion ? 1_000 : 0)] = ended.node }
        } catch {}
    }

    private mutating func remove(_ id: Int, _ random: inout SeededGenerator) {
        switch random.below(3) {
        case 0: cache.remove(Folder.self, id: id)
        case 1: cache.transaction { _ = cache.remove(Folder.self, ids: [id]) }
        default:
            cache.remove(Folder.self) { $0.id == id }
            // It doesn't concern what isn't stored.
            if confirmed[id]?.isFolder != true { return }
        }
        removeFolder(id)
    }

    private mutating func removeFolder(_ id: Int) {
        if confirmed[id]?.isFolder == true { confirmed[id] = nil }
        for (owner, node) in confirmed where node.folder == id {
            if node.isFolder { removeFolder(owner) } else { confirmed[owner] = nil }
        }
        // A removal concerns what is confirmed.
        if pending.contains(where: { $0.id == id && $0.node.isFolder && $0.isShown }) { return }
        for place in pending.indices where pending[place].node.folder == id && pending[place].isShown {
            pending[place].isShown = false
            if pending[place].node.isFolder { removeFolder(pending[place].id) }
        }
    }

    func check(_ context: String) {
        let shown = confirmed.merging(pending.filter(\.isShown).map { ($0.id, $0.node) }) { $1 }
        for (nodes, state) in [(shown, nodes()), (confirmed, cache.confirmed { nodes() })] {
            #expect(nodes == state, "\(context)")
        }
        for folder in 0...lastID {
            let found = cache.query(FlatCache.Query(Document.self).filter(\.folderID, equals: folder)).values.map(\.id)
            #expect(found.sorted() == shown.filter { !$1.isFolder && $1.folder == folder }.keys.sorted(), "\(context)")
        }
    }

    private func nodes() -> [Int: Node] {
        var nodes: [Int: Node] = [:]
        for folder in cache.allValues(of: Folder.self) {
            nodes[folder.id] = Node(isFolder: true, folder: folder.parentID ?? 0)
        }
        for document in cache.allValues(of: Document.self) {
            nodes[document.id] = Node(isFolder: false, folder: document.folderID)
        }
        return nodes
    }
}
