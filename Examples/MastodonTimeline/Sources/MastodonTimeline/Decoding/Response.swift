import Foundation

/// A response of the API taken apart: each entity by itself, referring to the others by identifiers.
///
///     let response = try Response(data)
///     response.store(in: cache)
///     for status in cache.get(Status.self, ids: response.timeline) { show(status) }
struct Response {
    private(set) var statuses: [Status] = []
    private(set) var accounts: [Account] = []
    private(set) var polls: [Poll] = []
    private(set) var mediaAttachments: [MediaAttachment] = []
    private(set) var tags: [Tag] = []

    /// The statuses that the response lists, in its order; those that are only nested in others are not among them.
    private(set) var timeline: [Status.ID] = []

    private var listedIDs: Set<Status.ID> = []

    /// How many elements were left out, because they are of no known kind or have no identifier.
    private(set) var unreadableCount = 0

    /// Takes a response apart, whichever of the API's documents it is.
    ///
    /// - Throws: `DecodingError` when the data isn't JSON. Nothing in the JSON is an error.
    init(_ data: Data) throws {
        self.init(try JSONDecoder().decode(JSON.self, from: data))
    }

    init(_ document: JSON) {
        read(document)
    }

    // MARK: Collecting entities

    mutating func collect(_ status: Status) { statuses.append(status) }
    mutating func collect(_ account: Account) { accounts.append(account) }
    mutating func collect(_ poll: Poll) { polls.append(poll) }
    mutating func collect(_ mediaAttachment: MediaAttachment) { mediaAttachments.append(mediaAttachment) }
    mutating func collect(_ tag: Tag) { tags.append(tag) }
    mutating func leaveOut() { unreadableCount += 1 }

    mutating func list(_ id: Status.ID) {
        if listedIDs.insert(id).inserted { timeline.append(id) }
    }
}
