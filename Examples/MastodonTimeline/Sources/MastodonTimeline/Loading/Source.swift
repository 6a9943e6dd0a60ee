import Foundation

/// Where a response comes from.
enum Source: Hashable, Sendable {
    /// The timeline that belongs to this program.
    case sample
    case file(path: String)
    case server(URL)
}

extension Source {
    /// The source that an argument names: a file, or a server whose public timeline is meant.
    ///
    /// - Throws: When the argument begins like an address but isn't one, or isn't a safe one.
    init(argument: String) throws(UsageError) {
        guard argument.hasPrefix("http://") || argument.hasPrefix("https://") else {
            self = .file(path: argument)
            return
        }
        guard var components = URLComponents(string: argument), let host = components.host, !host.isEmpty else {
            throw .invalidAddress(argument)
        }
        guard components.scheme == "https" || Source.loopbackHosts.contains(host) else {
            throw .unencryptedAddress(argument)
        }
        // An address with a path names a response of the API itself.
        if ["", "/"].contains(components.path) { components.path = APIRequest.publicTimeline.path }
        guard let url = components.url else { throw .invalidAddress(argument) }
        self = .server(url)
    }

    private static let loopbackHosts: Set<String> = ["localhost", "127.0.0.1", "::1", "[::1]"]

    /// The name for messages.
    var name: String {
        switch self {
        case .sample: "The sample timeline"
        case .file(let path): path
        case .server(let url): url.absoluteString
        }
    }
}
