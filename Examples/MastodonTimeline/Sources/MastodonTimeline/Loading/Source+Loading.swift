import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Source {
    /// Loads the response and takes it apart.
    func load() async throws(LoadingError) -> Response {
        let data =
            switch self {
            case .sample: try contents(ofFile: Source.samplePath)
            case .file(let path): try contents(ofFile: path)
            case .server(let url): try await Source.answer(of: url)
            }
        guard data.contains(where: { !Source.whitespace.contains($0) }) else {
            if case .server = self { throw .noAnswer(name) }
            throw .empty(name)
        }
        do {
            return try Response(data)
        } catch {
            throw .notJSON(name)
        }
    }

    private static var samplePath: String {
        Bundle.module.bundleURL.appending(path: "sample-timeline.json").path
    }

    private static let whitespace = Set(" \t\r\n".utf8)

    private func contents(ofFile path: String) throws(LoadingError) -> Data {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { throw .missing(name) }
        guard !isDirectory.boolValue else { throw .unreadable(name, reason: "it is a folder") }
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw .unreadable(name, reason: "it can't be opened")
        }
    }

    private static func answer(of url: URL) async throws(LoadingError) -> Data {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        configuration.timeoutIntervalForResource = 30
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await URLSession(configuration: configuration).data(for: request)
        } catch {
            throw LoadingError(error, from: url)
        }
        if let response = response as? HTTPURLResponse, !(200..<300).contains(response.statusCode) {
            let message = (try? JSONDecoder().decode(JSON.self, from: data))?["error"].string
            let reason = message ?? HTTPURLResponse.localizedString(forStatusCode: response.statusCode)
            throw .refused(url.absoluteString, status: response.statusCode, reason: reason.singleLine)
        }
        return data
    }
}

extension LoadingError {
    /// Says in a sentence what the network reports in a code.
    fileprivate init(_ error: any Error, from url: URL) {
        let name = url.absoluteString
        let code = (error as? URLError)?.code
        switch code {
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
