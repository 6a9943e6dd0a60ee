import FlatCache
import Foundation
import SeededRandom
import Testing

/// Decodes recorded responses with faults.
///
/// A crash ends the process, and a hang is a failure at the time limit. `FLATCACHE_SEED` replays one seed, and `FLATCACHE_PAYLOADS` sets the
/// number of seeds.
@Suite("Recorded responses with faults", .enabled(if: !RecordedResponse.all.isEmpty), .timeLimit(.minutes(30)))
struct RecordedMutationTests {
    /// The outcomes of the responses without a fault, by their names.
    private static let whole: [String: RecordedResponse.Outcome] = {
        let outcomes = RecordedResponse.all.compactMap { response in
            (try? response.read(response.data(response.tree()))).map { (response.name, $0) }
        }
        return Dictionary(outcomes) { $1 }
    }()

    @Test("A response is read without problems that its models don't explain", arguments: RecordedResponse.all)
    func whole(response: RecordedResponse) throws {
        let outcome = try #require(Self.whole[response.name])
        #expect(outcome.problems.map(\.description) == [])
        #expect(outcome.entities.count > 1)
    }

    @Test("A truncated property list throws the decoder's error")
    func truncated() throws {
        for response in RecordedResponse.all where response.isPropertyList {
            let data = try response.data(response.tree())
            let end = try #require(data.range(of: Data("</plist>".utf8))).upperBound
            for end in stride(from: 0, to: end, by: data.count / Extent.count(25, full: 2_000)) {
                #expect(throws: DecodingError.self, "\(end) bytes") { try response.read(data[..<end]) }
            }
        }
    }

    @Test("P1: A member of a wrong kind is in the problems, or changes nothing", arguments: RecordedResponse.all)
    func wrongKinds(response: RecordedResponse) throws {
        let whole = try #require(Self.whole[response.name])
        let tree = try response.tree()
        // The element with the most values that aren't equal, such as null.
        let list = try #require(tree[response.path])
        let counts = list.names.map { (name: $0, count: list[[$0]]?.texts.count ?? 0) }
        let element = response.path + [try #require(counts.max { $0.count < $1.count }).name]
        // Of the values in an element, all or every seventh.
        let paths = try #require(tree[element]?.paths)
        for place in stride(from: 0, to: paths.count, by: Extent.isFull ? 1 : 7) {
            let path = element + paths[place]
            // No property is an array of arrays.
            let outcome = try response.read(response.data(tree.replacing(path, by: [[5]])))
            let hint = Comment(rawValue: path.joined(separator: "."))
            #expect(!outcome.problems.isEmpty || outcome.all == whole.all, hint)
            for problem in outcome.problems where !problem.isViolation {
                #expect(problem.names.starts(with: element), hint)
            }
        }
    }

    @Test("Changed bytes give an error or problems", arguments: Seeds.first(30, full: 80, orAsIn: "FLATCACHE_PAYLOADS"))
    func changedBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed, stream: 1)
        let response = random.pick(from: RecordedResponse.all)
        var data = try response.data(response.tree())
        for _ in 0...random.below(3) { data.change(&random) }
        let isStrict = random.below(4) == 0
        guard let outcome = try? response.read(data, isStrict: isStrict), isStrict else { return }
        for problem in outcome.problems {
            // Only storing shows which entities are incomplete.
            if case .incomplete = problem.reason { continue }
            Issue.record("FLATCACHE_SEED=\(seed): \(problem)")
        }
    }

    @Test(
        "P1: A changed element of a list costs no other element, and a lost one is in the problems",
        arguments: Seeds.first(30, full: 80, orAsIn: "FLATCACHE_PAYLOADS")
    )
    func changedElement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed, stream: 2)
        let response = random.pick(from: RecordedResponse.all)
        let original = try response.tree()
        let mutation = try #require(
            TreeMutation(of: original, at: response.path, isPropertyList: response.isPropertyList, &random)
        )
        let before = try #require(Self.whole[response.name])
        let after = try response.read(response.data(mutation.tree))
        let hint = Comment(rawValue: "FLATCACHE_SEED=\(seed) \(response.testDescription) \(mutation.name)")

        for (id, entity) in before.entities where !mutation.concerned.contains(id) {
            #expect(after.entities[id] == entity, hint)
        }
        var isListed = false
        for problem in after.problems {
            let isInside = problem.names.starts(with: response.path + [mutation.name])
            isListed = isListed || isInside
            // A document can break a rule in another place than the changed one.
            if problem.isViolation { continue }
            #expect(isInside, "\(problem) \(hint)")
        }
        let isStored = mutation.ids.contains { after.entities[$0] != nil }
        #expect(isStored || isListed || !mutation.isThere, hint)
    }
}
