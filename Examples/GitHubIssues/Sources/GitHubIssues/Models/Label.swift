import FlatCache

/// A category of issues and pull requests.
struct Label: Cachable, Codable, Equatable {
    let id: Int
    var name: String
    var color: String
}

/// The recorded normalized entities have the labels under the key `undefined`.
extension Label: FlatCache.PayloadNamed {
    static var payloadName: String { "undefined" }
}
