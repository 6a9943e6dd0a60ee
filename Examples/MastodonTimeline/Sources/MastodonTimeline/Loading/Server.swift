/// A server as the program sees it: something that answers requests.
///
/// There is one on the network, see ``init(at:)``, and one in this program, see ``SampleServer``.
struct Server: Sendable {
    let answer: @Sendable (APIRequest) async throws(LoadingError) -> Response
}
