import FlatCache
import Foundation

/// The responses of the REST API about a repository, as files in a folder.
struct Responses {
    let folder: URL

    /// Decodes the responses, and stores them in a cache.
    ///
    /// - Returns: The parts that can't be read.
    func store(in cache: FlatCache) throws -> [PayloadProblem] {
        try cache.store(payload(of: Repository.self, "repository.json")).problems
            + cache.store(payload(of: [Issue].self, "issues.json")).problems
            + cache.store(payload(of: [PullRequest].self, "pulls.json")).problems
            + cache.store(payload(of: [Comment].self, "comments.json")).problems
    }

    private func payload<Root>(of root: Root.Type, _ name: String) throws -> Payload<Root> {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Payload<Root>.self, from: Data(contentsOf: folder.appending(path: name)))
    }
}
