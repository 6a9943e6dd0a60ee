import Foundation

/// A response of the API taken apart: each entity by itself, referring to the others by identifiers.
///
///     let response = try Response(data)
///     response.store(in: cache)
///     for status in cache.get(Status.self, ids: response.timeline) { show(status) }
struct Response {
    var statuses: [Status] = []
    var accounts: [Account] = []
    var polls: [Poll] = []
    var mediaAttachments: [MediaAttachment] = []
    var tags: [Tag] = []

    /// The statuses that the response lists, in its order; those that are only nested in others are not among them.
    private(set) var timeline: [Status.ID] = []
    private var listedIDs: Set<Status.ID> = []

    private var leftOutCounts: [String?: Int] = [:]

    /// Takes a response apart, whichever of the API's documents it is.
    ///
    /// - Throws: `DecodingError` when the data isn't JSON. Nothing in the JSON is an error.
    init(_ data: Data) throws {
        self.init(try JSONDecoder().decode(JSON.self, from: data))
    }

    init(_ document: JSON) {
        read(document)
    }

    /// Adds a status to those that the response lists, unless it is there.
    mutating func list(_ id: Status.ID) {
        if listedIDs.insert(id).inserted { timeline.append(id) }
    }

    /// Counts something that is not in the response's entities.
    ///
    /// - Parameter noun: The name of its kind; `nil` where that is unknown, or where it lacks what its kind has.
    mutating func leaveOut(_ noun: String? = nil) {
        leftOutCounts[noun, default: 0] += 1
    }
}

extension Response {
    /// What was left out, in words: `2 status edits and 1 element of unknown kind or incomplete`; `nil` for nothing.
    var leftOut: String? {
        guard !leftOutCounts.isEmpty else { return nil }
        let known = leftOutCounts.compactMap { noun, count in noun.map { count.counted($0, $0.plural) } }.sorted()
        let unknown = leftOutCounts[nil].map { ["\($0.counted("element", "elements")) of unknown kind or incomplete"] }
        return (known + (unknown ?? [])).joined(separator: " and ")
    }

    /// Whether nothing is left of a response that isn't empty: it is none for this program.
    var isForeign: Bool {
        let isEmpty = statuses.isEmpty && accounts.isEmpty && polls.isEmpty && mediaAttachments.isEmpty && tags.isEmpty
        return isEmpty && !leftOutCounts.isEmpty
    }
}

extension String {
    fileprivate var plural: String { hasSuffix("s") ? self + "es" : self + "s" }
}
