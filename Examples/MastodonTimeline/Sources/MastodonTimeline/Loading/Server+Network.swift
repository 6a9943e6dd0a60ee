import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Server {
    /// The server on the network that has an address.
    ///
    /// - Parameters:
    ///   - url: The address of the server, or of anything on it.
    ///   - token: The access token of the person who is signed in.
    init(at url: URL, token: String? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        configuration.timeoutIntervalForResource = 30
        let session = URLSession(configuration: configuration)
        self.init { request throws(LoadingError) in
            var components = URLComponents(url: url, resolvingAgainstBaseURL: false) ?? URLComponents()
            components.path = request.path
            components.queryItems = nil
            // Identifiers would make errors too long to read.
            let name = components.string ?? request.path
            if request.method == .get, !request.parameters.isEmpty { components.queryItems = request.parameters }
            guard let address = components.url else { throw .unreachable(name, reason: "it is no address") }
            let data = try await session.answer(to: URLRequest(request, at: address, token: token), name: name)
            guard !data.isBlank else { throw .noAnswer(name) }
            return Response(data: data, name: name)
        }
    }
}

/// The answer of a server that refuses a request.
private struct ErrorMessage: Decodable {
    let error: String
}

extension URLRequest {
    init(_ request: APIRequest, at url: URL, token: String?) {
        self.init(url: url)
        httpMethod = request.method.rawValue
        setValue("application/json", forHTTPHeaderField: "Accept")
        setValue(token.map { "Bearer \($0)" }, forHTTPHeaderField: "Authorization")
        setValue(request.idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
        if request.method == .post {
            let members = Dictionary(request.parameters.map { ($0.name, $0.value) }) { $1 }
            setValue("application/json", forHTTPHeaderField: "Content-Type")
            httpBody = try? JSONEncoder().encode(members)
        }
    }
}

extension URLSession {
    fileprivate func answer(to request: URLRequest, name: String) async throws(LoadingError) -> Data {
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await self.data(for: request)
        } catch {
            throw LoadingError(error, from: name)
        }
        if let response = response as? HTTPURLResponse, !(200..<300).contains(response.statusCode) {
            let message = (try? JSONDecoder().decode(ErrorMessage.self, from: data))?.error
            let reason = message ?? HTTPURLResponse.localizedString(forStatusCode: response.statusCode)
            throw .refused(name, status: response.statusCode, reason: reason.singleLine)
        }
        return data
    }
}

extension LoadingError {
    /// Says in a sentence what the network reports in a code.
    fileprivate init(_ error: any Error, from name: String) {
        switch (error as? URLError)?.code {
        case .timedOut: self = .timedOut(name)
        case .networkConnectionLost, .badServerResponse, .zeroByteResource: self = .noAnswer(name)
        case .cannotFindHost, .dnsLookupFailed: self = .unreachable(name, reason: "there is no such server")
        case .cannotConnectToHost: self = .unreachable(name, reason: "the server refuses connections")
        case .notConnectedToInternet: self = .unreachable(name, reason: "there is no network")
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate:
            self = .unreachable(name, reason: "it can't be reached securely")
        default: self = .unreachable(name, reason: error.localizedDescription)
        }
    }
}
