package import Accounts
import FlatCache

/// Reads and sets through the accessors of the other models.
package func checkModels(_ checks: inout Checks) throws {
    try FlatCache.withCurrent(FlatCache()) {
        checkConditional(&checks)
        try checkNames(&checks)
        try checkHomonyms(&checks)
        checkAliases(&checks)
        checkGenerics(&checks)
        try checkGenericHandles(&checks)
        checkAvailability(&checks)
        try checkOwnMembers(&checks)
    }
}

private func checkConditional(_ checks: inout Checks) {
    FlatCache.current.set(Item(id: 1))
    #if FIRST_BRANCH
    var draft = Draft(id: "a", subjectID: 1, parentID: "b")
    FlatCache.current.set(Draft(id: "b", subjectID: 2, parentID: nil))
    checks.expect(
        draft.parent?.id == "b" && Revision(id: 1, draftID: "b").draft?.id == "b",
        "the first branch is there"
    )
    draft.setSubject(Item(id: 3))
    checks.expect(draft.subjectID == 3, "a variable of the first branch is set")
    #else
    var draft = Draft(id: "a", subjectID: 1)
    draft.revisions = [Revision(id: 1, draftID: "a")]
    checks.expect(
        draft.revisionIDs == [1] && draft.cached(\.revisions).first?.draft == nil,
        "the other branch is there"
    )
    checks.expect(draft.subject?.id == 1, "a constant of the other branch is read")
    #endif
}

private func checkNames(_ checks: inout Checks) throws {
    let other = Größe(
        id: 2,
        überID: 1,
        elternID: nil,
        classID: 1,
        caseID: nil,
        inIDs: [],
        defaultID: 1,
        relatedID: 1,
        policyID: 1,
        identifiersIDs: [],
        emojiIDs: [],
        repeat: 1,
        author_id: nil,
        comment_ids: []
    )
    FlatCache.current.set(other)
    var size = Größe(
        id: 1,
        überID: 2,
        elternID: nil,
        classID: 2,
        caseID: 1,
        inIDs: [2],
        defaultID: 2,
        relatedID: 2,
        policyID: 2,
        identifiersIDs: [2],
        emojiIDs: [2],
        repeat: 2,
        author_id: 2,
        comment_ids: [2, 3]
    )
    checks.expect(
        size.über?.id == 2 && size.`class`?.id == 2 && size.`protocol`.map(\.id) == [2],
        "names are as they are"
    )
    checks.expect(size.default?.id == 2 && size.isolation?.id == 2 && size.related?.id == 2, "keywords are names")
    checks.expect(size.policy?.id == 2 && size.identifiers.map(\.id) == [2], "so are parameters")
    checks.expect(size.🧩.map(\.id) == [2] && size.author?.id == 2 && size.comments.map(\.id) == [2], "and others")
    size.大きさ = other
    checks.expect(size.elternID == 2 && size.set大きさ(nil) == () && size.elternID == nil, "setters in other scripts")
    var holder = Holder(cachesID: 2, valueIDs: [2])
    holder.cache = other
    checks.expect(holder.cache?.id == 2 && holder.value.map(\.id) == [2], "so are members of handles")
    let keyword = `enum`(id: 1, let: 1)
    FlatCache.current.set(keyword)
    checks.expect(keyword.func?.let == 1 && keyword.cached(\.func).func?.let == 1, "types with keywords for names")
    FlatCache.current.set(size)
    try Cached(Größe.self, id: 1).set(\.class, to: size)
    checks.expect(Cached(Größe.self, id: 1).class?.classID == 1, "handles have keywords too")
}

private func checkHomonyms(_ checks: inout Checks) throws {
    let cache = FlatCache.current
    cache.set(Office.Result(id: 1, taskID: 5, setIDs: []))
    var task = Office.Task(id: 5, resultID: 1)
    task.subtasks = [Office.Task(id: 6)]
    checks.expect(task.subtaskIDs == [6] && task.result?.taskID == 5, "types are those of the target")
    cache.set(Office.Set(id: 1, setIDs: [1], arrayIDs: []))
    checks.expect(Office.Array(id: 1, setIDs: [1, nil]).sets.first?.sets.count == 1, "sets of sets")
    cache.set(Sequence(id: 2, nextID: 2))
    let character = Character(id: 1, characterIDs: [], errorID: 1)
    cache.set(Error(id: 1, sequenceID: 2))
    checks.expect(character.mistake?.sequence?.next?.id == 2, "and not those of the standard library")
    cache.set(Catalogue.Section.Entry.Entry(id: 3, entryID: 1))
    let entry = Catalogue.Section.Entry(id: 1, entryIDs: [3], detailID: 3)
    cache.set(entry)
    checks.expect(entry.detail?.entry?.entries.map(\.id) == [3], "namesakes are distinct")
    cache.set(Step(id: 1))
    cache.set(Feed.cache(id: 1, nextID: 1))
    var plan = Plan(id: 1, taskIDs: [], nextTaskID: nil, entryID: 1, elementID: 1, stepIDs: [1], note: "")
    plan.Task = [Task(id: 7, didSetID: 7)]
    plan.willSet = plan.Task.first
    checks.expect(
        plan.nextTaskID == 7 && plan.Task.first?.didSet?.id == 7,
        "accessors may be called like types and words"
    )
    checks.expect(plan.entry?.next?.id == 1 && plan.steps.count == 1 && plan.element == nil, "types like anything")
    checks.expect(Stage<Int>(id: 1, taskID: 7).task?.id == 7, "types like generic parameters")
    let locals = Locals(stepIDs: [1], cacheIDs: [1], cacheID: 1)
    checks.expect(try locals.require(\.missing).count == 1, "accessors like local names")
    checks.expect(locals.missing.count == 1 && locals.missing(\.missing) == [], "and like those of the library")
    checks.expect(try locals.require(\.caches).count == 1 && locals.require(\.cache)?.id == 1, "types like local names")
}

private func checkAliases(_ checks: inout Checks) {
    let cache = FlatCache.current
    cache.set(User(id: "u"))
    cache.set(Item(id: 1))
    var box = Box(id: 1, pieceID: 1, contentIDs: [1, 2], memberID: "u", lidID: nil, boxIDs: [nil, 1])
    cache.set(box)
    checks.expect(box.piece?.id == 1 && box.contents.count == 1 && box.member?.id == "u", "aliases are followed")
    checks.expect(box.lid == nil && box.boxes.map(\.id) == [1], "aliases of optionals too")
    box.setBoxes([])
    checks.expect(box.boxIDs == [], "and set")
}

private func checkGenerics(_ checks: inout Checks) {
    let cache = FlatCache.current
    cache.set(Item(id: 1))
    var page = Page<String>(itemIDs: [1], firstID: nil)
    page.items += [Item(id: 2)]
    checks.expect(page.itemIDs == [1, 2] && page.first == nil, "a generic owner")
    checks.expect(Page<String>.Cursor<Int>(itemID: 1).item?.id == 1, "a generic owner in another")
    let version = Versioned(id: 2, content: "b", previousID: 1, itemIDs: [1])
    cache.set(Versioned(id: 1, content: "a", previousID: nil, itemIDs: []))
    checks.expect(version.previous?.content == "a" && version.cached(\.previous)?.content == "a", "a generic entity")
    checks.expect(version.items.count == 1, "and others")
    let ticket = Ticket(id: Tagged(value: 1), blockerID: Tagged(value: 1), ticketIDs: [])
    cache.set(ticket)
    checks.expect(ticket.blocker?.id == ticket.id, "identifiers of generic types")
    var screen = Screen(itemID: 1, constantID: nil)
    screen.selectedItems = [Item(id: 4)]
    screen.setItem(Item(id: 5))
    checks.expect(
        screen.item?.id == 5 && screen.selectedItems.count == 1 && screen.constant == nil,
        "what is no entity"
    )
}

private func checkGenericHandles(_ checks: inout Checks) throws {
    let cache = FlatCache()
    cache.set(Item(id: 1, text: "one"))
    cache.set(Versioned(id: 1, content: "a", previousID: nil, itemIDs: []))
    cache.set(Versioned(id: 2, content: "b", previousID: nil, itemIDs: [1, 3]))
    let version = Cached(Versioned<String>.self, id: 2, in: cache)
    try version.set(\.previous, to: Versioned(id: 1, content: "c", previousID: nil, itemIDs: []))
    checks.expect(
        version.previous?.content == "c" && version.cached(\.previous)?.content == "c",
        "a handle of a generic one"
    )
    checks.expect(version.items.map(\.text) == ["one"] && version.missing(\.items) == [3], "in its cache")
    checks.expect(Cached(Versioned<Int>.self, id: 2, in: cache).previous == nil, "of one type of them")
    cache.set(Envelope(id: 1, content: ["x"], replyIDs: [1], stampID: 1))
    let envelope = Cached(Envelope<Int, [String]>.self, id: 1, in: cache)
    checks.expect(try envelope.require(\.replies).first?.content == ["x"], "identified by a parameter")
    checks.expect(try envelope.require(\.stamp).text == "one" && envelope.stamp?.id == 1, "with a constant")
    try envelope.set(\.stamp, to: Item(id: 1, text: "two"))
    checks.expect(
        envelope.stamp?.text == "two" && envelope.cached(\.replies).first?.stamp?.text == "two",
        "which is set"
    )
    typealias Folder = Archive.Drawer<String>.Folder<Int>
    cache.set(Folder(id: 1, itemIDs: nil, nextID: 1, content: [], label: nil))
    let folder = Cached(Folder.self, id: 1, in: cache)
    try folder.set(\.items, to: [Item(id: 4)])
    checks.expect(folder.items?.map(\.id) == [4] && folder.next?.next?.id == nil, "in another generic one")
    checks.expect(Several<Int, String>(id: 1, itemID: 1).item(in: cache)?.text == "two", "without handles")
}

private func checkAvailability(_ checks: inout Checks) {
    if #available(macOS 99, *) {
        var future = Future(id: 1, futureID: 1, itemID: 99)
        FlatCache.current.set(future)
        checks.expect(Beyond.Horizon(id: 1, futureIDs: [1]).futures.count == 1, "what is available in the future")
        if #available(tvOS 99, *) { future.setFuture(future) }
        checks.expect(future.item == nil, "in parts")
    }
}
