import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Replacements beside writers, mutations, readers and observers on other threads.
@Suite("Replacements of identifiers on several threads", .mayBlock)
struct IdentifierThreadTests {
    @Test("A memo is found under all of its identifiers, exactly one of which lists, owners and the cache have")
    func oneMemo() {
        let cache = FlatCache()
        cache.set(Memo(id: "0"))
        cache.set(MemoFolder(id: 1, oneID: "0", arrayIDs: ["0"]))
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["0"])
        let handle = Cached(Memo.self, id: "0", in: cache)
        let (wrong, seen) = (Recorder<String>(), Recorder<Memo?>())
        let subscription = cache.observe(Memo.self, id: "0") { seen.record($0.value) }
        let count = Extent.count(20, full: 2_000)
        onThreads(4) { number in
            for step in 1...count {
                switch number {
                case 0: cache.replaceIdentifier(of: Memo.self, "0", with: Memo(id: "\(step)", text: "\(step)"))
                case 1:
                    if !cache.update(Memo.self, id: "0", { $0.text += "u" }) { wrong.record("no update") }
                    if !handle.update({ $0.text += "h" }) { wrong.record("no update by the handle") }
                case 2:
                    if cache.get(Memo.self, id: "0") == nil { wrong.record("no memo") }
                    if handle.text == nil { wrong.record("no memo of the handle") }
                    let subscription = cache.observe(Memo.self, id: "0") {
                        if $0.value == nil { wrong.record("no memo of the observer") }
                    }
                    subscription.cancel()
                default:
                    cache.read {
                        let ids = cache.allValues(of: Memo.self).map(\.id)
                        let folder = cache.get(MemoFolder.self, id: 1)
                        if ids.count != 1 || folder?.oneID != ids[0] || folder?.arrayIDs != ids
                            || Array(list.ids) != ids
                        {
                            wrong.record("\(ids) \(String(describing: folder)) \(Array(list.ids))")
                        }
                    }
                }
            }
        }
        #expect(wrong.elements.isEmpty)
        let last = cache.get(Memo.self, id: "0")
        #expect(last?.id == "\(count)")
        #expect(seen.elements.allSatisfy { $0 != nil })
        #expect(seen.elements.last == last)
        cache.update(Memo.self, id: "\(count)") { $0.text = "end" }
        #expect(seen.elements.last??.text == "end")
        subscription.cancel()
    }

    @Test("Mutations beside replacements end at the key of the memo, and nothing of them remains")
    func mutations() async {
        let cache = FlatCache()
        cache.set(Memo(id: "0"))
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["0"])
        let mutations = Recorder<Mutation<Void>>()
        let confirmed = SharedCount()
        let count = Extent.count(20, full: 500)
        let seed = Seeds.one
        onThreads(4) { number in
            var random = SeededGenerator(seed: seed, stream: number)
            for step in 1...count {
                if number == 0 {
                    cache.transaction {
                        guard let memo = cache.get(Memo.self, id: "0") else { return }
                        cache.replaceIdentifier(of: Memo.self, "0", with: Memo(id: "\(step)", text: memo.text))
                    }
                    continue
                }
                let fails = random.below(2) == 0
                let isListed = random.below(3) == 0
                let mutation = cache.mutate { change in
                    change.update(Memo.self, id: "0") { $0.text += "x" }
                    if isListed { change.append("0", to: list) }
                } send: {
                    if fails { throw RejectedError() }
                    confirmed.add(1)
                }
                mutations.record(mutation)
            }
        }
        for mutation in mutations.elements { await mutation.ended() }
        #expect(cache.count(of: Memo.self) == 1)
        #expect(cache.get(Memo.self, id: "0")?.text.count == confirmed.value)
        #expect(cache.confirmed { cache.get(Memo.self, id: "0")?.text.count } == confirmed.value)
        #expect(Array(list.ids) == ["\(count)"])
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test(
        "A mutation whose identifier is replaced while it begins and ends changes the last one",
        arguments: [false, true]
    )
    func replacedMeanwhile(fails: Bool) async {
        let cache = FlatCache()
        cache.set(Memo(id: "0"))
        // Another type has replacements already.
        cache.replaceIdentifier(of: Shelf.self, "0", with: Shelf(id: "1"))
        let answer = ManualAnswer<Void>()
        let (count, limit) = (SharedCount(), SharedCount())
        limit.add(4)
        let replacing: @Sendable (SyncPoint) -> Void = { point in
            guard point == .ended || point == .listed, count.value < limit.value else { return }
            count.add(1)
            RunningThread { cache.replaceMemo("0", by: "\(count.value)", "new") }.finishInLibrary()
        }
        let mutation = SyncPoint.$handler.withValue(replacing) {
            cache.mutate(Memo.self, id: "0") {
                $0.text += "!"
            } send: {
                try await answer()
            }
        }
        let begun = count.value
        limit.add(4)
        #expect(begun >= 2 && cache.text("0") == "new!" && mutation.problems.isEmpty)
        if fails { answer.fail() } else { answer.succeed() }
        await mutation.ended()
        #expect(count.value > begun && cache.text("0") == (fails ? "new" : "new!"))
        #expect(cache.count(of: Memo.self) == 1)
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("Insertions and what depends on them end on all threads")
    func insertions() async {
        let cache = FlatCache()
        let list = cache.list("home", of: Memo.self)
        let inserted = Recorder<(mutation: Mutation<Memo>, succeeds: Bool)>()
        let edits = Recorder<(mutation: Mutation<Void>, succeeds: Bool)>()
        let count = Extent.count(8, full: 200)
        onThreads(3) { number in
            for step in 0..<count {
                let (temporary, id) = ("tmp \(number) \(step)", "\(number) \(step)")
                let succeeds = step % 3 != 0
                let insertion = cache.mutate { change in
                    change.insert(temporary: Memo(id: temporary))
                    change.append(temporary, to: list)
                } send: {
                    await Task.yield()
                    if !succeeds { throw RejectedError() }
                    return Memo(id: id, text: "saved")
                }
                inserted.record((insertion, succeeds))
                let edit = cache.mutate(Memo.self, id: temporary) {
                    $0.text += "!"
                } send: {
                    if try await FlatCache.current.resolvedID(of: Memo.self, temporary) != id { throw RejectedError() }
                }
                edits.record((edit, succeeds))
            }
        }
        for (mutation, succeeds) in inserted.elements { #expect(await mutation.ended() == succeeds) }
        for (mutation, succeeds) in edits.elements where succeeds { #expect(await mutation.ended()) }
        for (mutation, _) in edits.elements { await mutation.ended() }
        let expected = inserted.elements.count { $0.succeeds }
        #expect(cache.count(of: Memo.self) == expected)
        #expect(list.values.allSatisfy { $0.text == "saved!" } && list.count == expected)
        #expect(list.ids.allSatisfy { !$0.hasPrefix("tmp") })
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }
}
