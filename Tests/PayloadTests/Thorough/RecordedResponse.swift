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
    private let decode: @Sendable (Data, _ isStrict: Bool) throws -> Outcome

    /// The result of decoding and storing a response.
    struct Outcome: Sendable {
        /// The entities of the list's type, as texts by the text of their identifiers.
        let entities: [String: String]
        /// All entities, as texts.
        let all: Set<String>
        let problems: [PayloadProblem]
    }

    var testDescription: String { name + (isPropertyList ? " as a property list" : "") }

    func tree() throws -> FoundationTree { FoundationTree(value: try load()) }

    func data(_ tree: FoundationTree) throws -> Data {
        try isPropertyList
            ? PropertyListSerialization.data(fromPropertyList: tree.value, format: .xml, options: 0)
            : JSONSerialization.data(withJSONObject: tree.value, options: [.fragmentsAllowed, .sortedKeys])
    }

    /// Decodes and stores data.
    func read(_ data: Data, isStrict: Bool = false) throws -> Outcome { try decode(data, isStrict) }
}

extension RecordedResponse {
    /// The responses that are available.
    static let all: [RecordedResponse] =
        SharedData.folder("github") == nil
        ? []
        : [
            RecordedResponse("mastodon/home-timeline.json", at: [], Timeline.self, timelineTypes),
            RecordedResponse(
                "mastodon/tag-timeline-page1.json",
                at: [],
                Timeline.self,
                timelineTypes,
                isPropertyList: true,
                withoutNull
            ),
            RecordedResponse("github/issues-nested.json", at: [], Payload<[GitHub.Issue]>.self, issueTypes),
            RecordedResponse("github/issues-flat.json", at: ["entities", "issues"], Payload<Flat>.self, issueTypes),
            RecordedResponse("stripe/fixtures3.json", at: ["data"], Payload<Page>.self, [StripeResource.self], page),
            RecordedResponse("jsonapi/DeserializerCollectionSpec.json", at: ["included"], People.self, peopleTypes),
            RecordedResponse("jsonapi/Article.json", at: ["included"], OneArticle.self, articleTypes),
        ]

    private typealias Timeline = Payload<[Mastodon.Status]>
    private static let timelineTypes: [any Cachable.Type] = [Mastodon.Status.self, Mastodon.Account.self]

    private static let issueTypes: [any Cachable.Type] = [
        GitHub.Issue.self, GitHub.User.self, GitHub.Milestone.self, GitHub.PullRequest.self,
    ]

    private struct Flat: Decodable {
        let entities: FlatPayload<GitHub.Issue, GitHub.User, GitHub.Milestone, GitHub.PullRequest>
    }

    private struct Page: Decodable {
        let data: [StripeResource]
    }

    private typealias People = JSONAPI.Document<[RecordedArticle<PlainNames>], RecordedPerson<PlainNames>>
    private static let peopleTypes: [any Cachable.Type] = [
        RecordedPerson<PlainNames>.self, RecordedArticle<PlainNames>.self,
    ]

    private typealias OneArticle = JSONAPI.Document<RecordedArticle<FirstNames>, RecordedPerson<FirstNames>>
    private static let articleTypes: [any Cachable.Type] = [
        RecordedPerson<FirstNames>.self, RecordedArticle<FirstNames>.self,
    ]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - name: The name of the file, with its folder.
    ///   - path: The names of the members that lead to the list.
    ///   - root: The type to decode.
    ///   - types: The types of the entities, beginning with the list's.
    ///   - isPropertyList: Whether the response is a property list, which has no null.
    ///   - change: A change of the tree.
    private init<Root: PayloadConvertible & Decodable>(
        _ name: String,
        at path: [String],
        _ root: Root.Type,
        _ types: [any Cachable.Type],
        isPropertyList: Bool = false,
        _ change: @escaping @Sendable (Any) -> Any = { $0 }
    ) {
        let parts = name.split(separator: "/").map(String.init)
        self.name = name
        self.path = path
        self.isPropertyList = isPropertyList
        load = { change(try JSONSerialization.jsonObject(with: SharedData.data(parts[0], parts[1]))) }
        decode = { data, isStrict in
            let cache = FlatCache()
            let problems: [PayloadProblem]
            if isPropertyList {
                let decoder = PropertyListDecoder()
                decoder.userInfo[.isStrictPayload] = isStrict
                problems = cache.store(try decoder.decode(root, from: data)).problems
            } else {
                let decoder = JSONDecoder()
                decoder.userInfo[.isStrictPayload] = isStrict
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = parts[0] == "github" ? .iso8601 : .secondsSince1970
                problems = cache.store(try decoder.decode(root, from: data)).problems
            }
            let entities = types.map { Self.texts(of: $0, in: cache) }
            return Outcome(
                entities: entities.first ?? [:],
                all: Set(entities.flatMap(\.values)),
                problems: problems
            )
        }
    }

    private static func texts<Entity: Cachable>(of type: Entity.Type, in cache: FlatCache) -> [String: String] {
        Dictionary(cache.allValues(of: type).map { ("\($0.id)", "\($0)") }) { $1 }
    }

    /// The recorded resources as a list of the API.
    @Sendable private static func page(_ tree: Any) -> Any {
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
