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

    /// How many elements were left out, because they are of unknown kind or have no identifier.
    var unreadableCount = 0

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
}
