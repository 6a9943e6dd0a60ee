import Foundation

/// A request to the API of a server: what of the server's data to give, or to change.
struct APIRequest: Hashable, Sendable {
    enum Method: String {
        case get = "GET", post = "POST"
    }

    private(set) var method = Method.get
    let path: String
    private(set) var parameters: [URLQueryItem] = []
    /// By this the server recognizes a request that it has done already.
    private(set) var idempotencyKey: String?
}

extension APIRequest {
    static let publicTimeline = APIRequest(path: "/api/v1/timelines/public")

    /// The most identifiers in one request: servers refuse more to those who aren't signed in.
    static let idLimit = 20

    /// The statuses by an account.
    static func statuses(by id: Account.ID) -> APIRequest {
        APIRequest(path: "/api/v1/accounts/\(id)/statuses")
    }

    /// The statuses with identifiers, as far as they are there.
    static func statuses(_ ids: Set<Status.ID>) -> APIRequest { APIRequest(path: "/api/v1/statuses", ids: ids) }

    /// The accounts with identifiers, as far as they are there.
    static func accounts(_ ids: Set<Account.ID>) -> APIRequest { APIRequest(path: "/api/v1/accounts", ids: ids) }

    /// The account that the token belongs to.
    static let ownAccount = APIRequest(path: "/api/v1/accounts/verify_credentials")

    /// Adds the reader's favourite to a status, or takes it back.
    static func favourite(_ id: Status.ID, _ isFavourited: Bool) -> APIRequest {
        APIRequest(method: .post, path: "/api/v1/statuses/\(id)/\(isFavourited ? "favourite" : "unfavourite")")
    }

    /// Boosts a status, or takes the boost back.
    static func boost(_ id: Status.ID, _ isBoosted: Bool) -> APIRequest {
        APIRequest(method: .post, path: "/api/v1/statuses/\(id)/\(isBoosted ? "reblog" : "unreblog")")
    }

    /// Posts a text.
    ///
    /// - Parameter key: The same for the same post, so that the server posts it once if the request is repeated.
    static func post(_ text: String, key: String) -> APIRequest {
        let parameters = [URLQueryItem(name: "status", value: text)]
        return APIRequest(method: .post, path: "/api/v1/statuses", parameters: parameters, idempotencyKey: key)
    }

    private init(path: String, ids: Set<String>) {
        self.init(path: path, parameters: ids.sorted().map { URLQueryItem(name: "id[]", value: $0) })
    }

    /// The request that an address stands for.
    init(_ url: URL) {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        self.init(path: components?.path ?? "", parameters: components?.queryItems ?? [])
    }

    /// Whether the answer is a timeline, of which there are pages.
    var isTimeline: Bool {
        path.hasPrefix("/api/v1/timelines/") || path.hasPrefix("/api/v1/accounts/") && path.hasSuffix("/statuses")
    }

    /// The values of a parameter.
    func values(of name: String) -> [String] {
        parameters.filter { $0.name == name }.compactMap(\.value)
    }

    /// Returns the request for the page of a timeline that ends where another begins.
    ///
    /// - Parameter id: The oldest status that is known; `nil` for the newest page.
    func older(than id: Status.ID?) -> APIRequest {
        id.map { setting("max_id", to: $0) } ?? self
    }

    /// Returns the request for the page of a timeline that begins where another ends.
    ///
    /// `min_id` asks for the statuses that come right after the known ones. The API has `since_id`, too, which asks for the
    /// newest of all: when more is new than fits on a page, statuses are missing between that page and the known ones, and
    /// nothing tells of the gap.
    ///
    /// - Parameter id: The newest status that is known; `nil` for the newest page.
    func newer(than id: Status.ID?) -> APIRequest {
        id.map { setting("min_id", to: $0) } ?? self
    }

    private func setting(_ name: String, to value: String) -> APIRequest {
        var request = self
        // The address may bound the page already.
        request.parameters.removeAll { ["max_id", "min_id", "since_id"].contains($0.name) }
        request.parameters.append(URLQueryItem(name: name, value: value))
        return request
    }
}
