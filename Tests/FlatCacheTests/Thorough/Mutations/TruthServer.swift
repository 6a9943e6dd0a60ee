import Testing

@testable import FlatCache

/// An entity that a server has, and that is removed with its parent.
struct Posting: Cachable, Codable, Equatable, RelationshipOwner {
    var id: String
    var clientKey: String?
    var text = ""
    var likes = 0
    var isLiked = false
    var parentID: String?
    /// The number of the server's last change, or a number that the device has invented.
    var version = 0

    /// Whether the posting with the highest version counts.
    @TaskLocal static var hasVersions = false
    static var merge: Merge<Posting> { hasVersions ? .newest(by: \.version) : .replace }

    struct Relationships: Sendable {
        var parent: FlatCache.Relationship<Posting, FlatCache.ToOptional<Posting>> {
            .init("Posting.parentID", { $0.parentID }, set: { $0.parentID = $1 })
        }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.parent)] }
    static var deleteRules: [FlatCache.DeleteRule<Posting>] { [.init(\.parent, .cascade)] }
}

/// The server of a simulation, whose postings are the truth.
///
/// A request arrives when the test says so, and is answered when the test says so.
final class TruthServer: @unchecked Sendable {  // Only `calls` is used by several threads.
    /// What a client asks for.
    enum Request: Sendable {
        case create(Posting), like(String), edit(String, String), delete(String)
        case page(ListPageRequest<Posting, String>)
    }

    /// What the server answers.
    enum Response: Sendable {
        case posting(Posting)
        case nothing
        case page([Posting], next: String?, previous: String?)
    }

    /// A request and its answer.
    final class Call: Sendable {
        let request: Request
        fileprivate let answer = Promise<Result<Response, any Error>>()

        fileprivate init(_ request: Request) {
            self.request = request
        }
    }

    private let calls = Protected<[Call]>([])
    private(set) var postings: [String: Posting] = [:]
    private var lastID = 100
    private var lastVersion = 0
    /// The requests that have arrived, with their answers.
    private(set) var arrived: [(call: Call, response: Result<Response, any Error>)] = []

    /// The requests that haven't arrived.
    var sent: [Call] { calls.withLock { $0 } }

    /// The number of requests that aren't answered.
    var openCount: Int { sent.count + arrived.count }

    /// The newest postings first.
    var all: [Posting] { postings.values.sorted { Int($0.id) ?? 0 > Int($1.id) ?? 0 } }

    func send(_ request: Request) async throws -> Response {
        let call = Call(request)
        calls.withLock { $0.append(call) }
        return try await call.answer.value.get()
    }

    /// Receives a request.
    ///
    /// - Returns: The identifiers of the postings that it has changed or removed.
    func receive(_ call: Call) -> [String] {
        calls.withLock { $0.removeAll { $0 === call } }
        var changed: [String] = []
        var response: Result<Response, any Error> = .failure(RejectedError(code: 404))
        switch call.request {
        case .create(let posting):
            if let id = create(posting), let created = postings[id] {
                (changed, response) = ([id], .success(.posting(created)))
            }
        case .like(let id):
            change(id) {
                $0.likes += 1
                $0.isLiked = true
            }
            if let posting = postings[id] { (changed, response) = ([id], .success(.posting(posting))) }
        case .edit(let id, let text):
            change(id) { $0.text = text }
            if let posting = postings[id] { (changed, response) = ([id], .success(.posting(posting))) }
        case .delete(let id):
            if postings[id] != nil { (changed, response) = (delete(id), .success(.nothing)) }
        case .page(let request): response = .success(page(request))
        }
        arrived.append((call, response))
        return changed
    }

    /// Answers a request that has arrived.
    func answer(_ place: Int) {
        let (call, response) = arrived.remove(at: place)
        call.answer.fulfil(response)
    }

    /// Loses a request on its way.
    func lose(_ call: Call) {
        calls.withLock { $0.removeAll { $0 === call } }
        call.answer.fulfil(.failure(RejectedError(code: 0)))
    }

    /// Creates a posting, unless it was created with its key before.
    func create(_ posting: Posting) -> String? {
        check(posting.parentID ?? "0")
        if let parent = posting.parentID, postings[parent] == nil { return nil }
        if let key = posting.clientKey, let known = postings.values.first(where: { $0.clientKey == key }) {
            return known.id
        }
        lastID += 1
        var created = posting
        created.id = "\(lastID)"
        postings[created.id] = created
        change(created.id) { _ in }
        return created.id
    }

    func change(_ id: String, _ body: (inout Posting) -> Void) {
        if var posting = postings[id] {
            body(&posting)
            lastVersion += 1
            posting.version = lastVersion
            postings[id] = posting
        }
    }

    /// Deletes a posting and those below it.
    func delete(_ id: String) -> [String] {
        guard postings.removeValue(forKey: id) != nil else { return [] }
        return [id] + postings.values.filter { $0.parentID == id }.flatMap { delete($0.id) }
    }

    private func page(_ request: ListPageRequest<Posting, String>) -> Response {
        let all = all
        var begin = 0
        switch request {
        case .first: break
        case .after(let id): begin = all.firstIndex { (Int($0.id) ?? 0) < (Int(id) ?? 0) } ?? all.count
        case .before(let id):
            let end = all.firstIndex { (Int($0.id) ?? 0) <= (Int(id) ?? 0) } ?? all.count
            begin = max(0, end - 3)
            return response(all, begin..<end)
        case .around(let id): begin = max(0, (all.firstIndex { $0.id == id } ?? 0) - 1)
        }
        return response(all, begin..<min(begin + 3, all.count))
    }

    private func response(_ all: [Posting], _ range: Range<Int>) -> Response {
        let page = Array(all[range])
        let next = range.upperBound < all.count ? page.last?.id : nil
        return .page(page, next: next, previous: range.lowerBound > 0 ? page.first?.id : nil)
    }

    private func check(_ id: String) {
        if Int(id) == nil { Issue.record("The server received the temporary identifier \(id).") }
    }
}
