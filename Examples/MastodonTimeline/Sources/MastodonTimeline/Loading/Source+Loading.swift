import Foundation

extension Source {
    /// Loads the response.
    func load() async throws(LoadingError) -> Response {
        switch self {
        case .sample: try Source.sampleTimeline()
        case .file(let path): Response(data: try contents(ofFile: path), name: name)
        case .server(let url): try await Server(at: url).answer(APIRequest(url))
        }
    }

    /// The sample timeline as a server would answer it.
    static func sampleTimeline() throws(LoadingError) -> Response {
        let path = Bundle.module.bundleURL.appending(path: "sample-timeline.json").path
        return Response(data: try Source.sample.contents(ofFile: path), name: Source.sample.name)
    }

    private func contents(ofFile path: String) throws(LoadingError) -> Data {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { throw .missing(name) }
        guard !isDirectory.boolValue else { throw .unreadable(name, reason: "it is a folder") }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(name, reason: "it can't be opened")
        }
        guard !data.isBlank else { throw .empty(name) }
        return data
    }
}
