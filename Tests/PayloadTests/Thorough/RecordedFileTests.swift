import FlatCache
import Foundation
import SeededRandom
import Testing

/// Decodes all recorded responses as they are on disk, with faults.
///
/// `FLATCACHE_SEED` replays one seed, and `FLATCACHE_PAYLOADS` sets the number of seeds.
@Suite("Recorded files with faults", .enabled(if: !RecordedFile.all.isEmpty), .timeLimit(.minutes(30)))
struct RecordedFileTests {
    @Test("A file is read as a whole", arguments: RecordedFile.all)
    func whole(file: RecordedFile) throws {
        try file.read(file.data())
    }

    @Test("A truncated file throws the decoder's error", arguments: RecordedFile.all)
    func truncated(file: RecordedFile) throws {
        var data = try file.data()
        while data.last?.isWhitespace == true { data.removeLast() }
        for end in stride(from: 0, to: data.count, by: Extent.count(data.count / 25 + 1, full: 1)) {
            do {
                try file.read(data[..<end])
                Issue.record("\(end) bytes are read")
            } catch is DecodingError {}
        }
    }

    @Test("Changed bytes give an error or problems", arguments: Seeds.first(30, full: 80, orAsIn: "FLATCACHE_PAYLOADS"))
    func changedBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed, stream: 3)
        let file = random.pick(from: RecordedFile.all)
        var data = try file.data()
        for _ in 0...random.below(3) { data.change(&random) }
        do { try file.read(data) } catch is DecodingError {} catch let problem as PayloadProblem {
            #expect(problem.isViolation && problem.names == ["data"], "FLATCACHE_SEED=\(seed)")
        }
    }
}

/// A recorded response as it is on disk.
struct RecordedFile: Sendable, CustomTestStringConvertible {
    let folder: String
    let name: String

    /// The files that are available.
    static let all: [RecordedFile] = ["mastodon", "github", "stripe", "jsonapi"].flatMap { folder in
        let files = SharedData.folder(folder).flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) }
        return (files ?? []).filter { $0.hasSuffix(".json") }.sorted().map { RecordedFile(folder: folder, name: $0) }
    }

    var testDescription: String { "\(folder)/\(name)" }

    func data() throws -> Data { try SharedData.data(folder, name) }

    /// Decodes and stores data.
    func read(_ data: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        if folder == "jsonapi" {
            typealias Article = RecordedArticle<PlainNames>
            typealias Person = RecordedPerson<PlainNames>
            do { FlatCache().store(try decoder.decode(JSONAPI.Document<[Article], Person>.self, from: data)) } catch {
                FlatCache().store(try decoder.decode(JSONAPI.Document<Article?, Person>.self, from: data))
            }
        } else {
            FlatCache().store(try decoder.decode(Payload<AnyShape>.self, from: data))
        }
    }
}

/// A response of any shape, with entities anywhere.
private indirect enum AnyShape: Decodable, Sendable {
    case status(Mastodon.Status), account(Mastodon.Account), issue(GitHub.Issue)
    case elements([AnyShape])
    case members([String: AnyShape])
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let status = try? container.decode(Mastodon.Status.self) {
            self = .status(status)
        } else if let account = try? container.decode(Mastodon.Account.self) {
            self = .account(account)
        } else if let issue = try? container.decode(GitHub.Issue.self) {
            self = .issue(issue)
        } else if let elements = try? container.decode([AnyShape].self) {
            self = .elements(elements)
        } else if let members = try? container.decode([String: AnyShape].self) {
            self = .members(members)
        } else {
            self = .other
        }
    }
}

extension UInt8 {
    fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
