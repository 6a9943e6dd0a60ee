import FlatCache
import Foundation
import Testing

/// A recorded response with a list of entities, in JSON or as a property list.
struct RecordedResponse: Sendable, CustomTestStringConvertible {
    let name: String
    let isPropertyList: Bool
    /// The names of the members that lead from the root to the list.
    let path: [String]
    private let load: @Sendable () throws -> Any
    private let decode: @Sendable (Data, _ isPropertyList: Bool, _ isStrict: Bool) throws -> Outcome

    /// The result of decoding and storing a response.
    struct Outcome: Sendable {
        /// The entities of the list's type, as texts by the text of their identifiers.
        let entities: [String: String]
        let problems: [PayloadProblem]
    }

    var testDescription: String { name + (isPropertyList ? " as a property list" : "") }

    /// The response with objects, arrays and scalars of Foundation.
    func tree() throws -> Any { try load() }

    func data(_ tree: Any) throws -> Data {
        try isPropertyList
            ? PropertyListSerialization.data(fromPropertyList: tree, format: .xml, options: 0)
            : JSONSerialization.data(withJSONObject: tree, options: [.fragmentsAllowed, .sortedKeys])
    }

    /// Decodes and stores data.
    func read(_ data: Data, isStrict: Bool = false) throws -> Outcome { try decode(data, isPropertyList, isStrict) }
}

extension RecordedResponse {
    /// The responses that are available.
    static let all: [RecordedResponse] =
        SharedData.folder("github") == nil
        ? []
        : [
            RecordedResponse(
                "mastodon",
                "home-timeline.json",
                [],
                Payload<[Mastodon.Status]>.self,
                Mastodon.Status.self
            ),
            RecordedResponse("github", "issues-nested.json", [], Payload<[GitHub.Issue]>.self, GitHub.Issue.self),
            RecordedResponse(
                "github",
                "issues-flat.json",
                ["entities", "issues"],
                Payload<Normalized>.self,
                GitHub.Issue.self
            ),
            RecordedResponse("stripe", "fixtures3.json", ["data"], Payload<Page>.self, StripeResource.self, stripePage),
            RecordedResponse("jsonapi", "DeserializerCollectionSpec.json", ["included"], People.self, Person.self),
            RecordedResponse("jsonapi", "Article.json", ["included"], OneArticle.self, RecordedPerson<FirstNames>.self),
            RecordedResponse(
                "mastodon",
                "tag-timeline-page1.json",
                [],
                Payload<[Mastodon.Status]>.self,
                Mastodon.Status.self,
                isPropertyList: true,
                withoutNull
            ),
        ]

    private struct Normalized: Decodable {
        let entities: FlatPayload<GitHub.Issue, GitHub.User, GitHub.Milestone, GitHub.PullRequest>
    }

    private struct Page: Decodable {
        let data: [StripeResource]
    }

    private typealias Person = RecordedPerson<PlainNames>
    private typealias People = JSONAPI.Document<[RecordedArticle<PlainNames>], Person>
    private typealias OneArticle = JSONAPI.Document<RecordedArticle<FirstNames>, RecordedPerson<FirstNames>>

    private init<Decoded: PayloadConvertible & Decodable, Entity: Cachable>(
        _ folder: String,
        _ file: String,
        _ path: [String],
        _ type: Decoded.Type,
        _ entity: Entity.Type,
        isPropertyList: Bool = false,
        _ change: @escaping @Sendable (Any) -> Any = { $0 }
    ) {
        name = "\(folder)/\(file)"
        self.path = path
        self.isPropertyList = isPropertyList
        load = { change(try JSONSerialization.jsonObject(with: SharedData.data(folder, file))) }
        decode = { data, isPropertyList, isStrict in
            let decoded: Decoded
            if isPropertyList {
                let decoder = PropertyListDecoder()
                decoder.userInfo[.isStrictPayload] = isStrict
                decoded = try decoder.decode(type, from: data)
            } else {
                let decoder = JSONDecoder()
                decoder.userInfo[.isStrictPayload] = isStrict
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = folder == "github" ? .iso8601 : .secondsSince1970
                decoded = try decoder.decode(type, from: data)
            }
            let cache = FlatCache()
            let problems = cache.store(decoded).problems
            let entities = cache.allValues(of: entity).map { ("\($0.id)", "\($0)") }
            return Outcome(entities: Dictionary(entities) { $1 }, problems: problems)
        }
    }

    /// The recorded resources as a list of the API.
    @Sendable private static func stripePage(_ tree: Any) -> Any {
        let resources = (tree as? [String: Any])?["resources"] as? [String: [String: Any]] ?? [:]
        return ["data": resources.filter { $0.value["id"] is String }.sorted { $0.key < $1.key }.map(\.value)]
    }

    /// A tree for a property list, which has no null, and names as the models have them.
    @Sendable private static func withoutNull(_ tree: Any) -> Any {
        if let elements = tree as? [Any] { return elements.filter { !($0 is NSNull) }.map(withoutNull) }
        guard let members = tree as? [String: Any] else { return tree }
        let pairs = members.filter { !($0.value is NSNull) }.map { name, value in (camelCase(name), withoutNull(value))
        }
        return Dictionary(pairs) { $1 }
    }

    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
