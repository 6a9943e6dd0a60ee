import Foundation

extension Source {
    /// Loads the response and takes it apart.
    func load() async throws(LoadingError) -> Response {
        switch self {
        case .sample: Response(try Source.sampleDocument())
        case .file(let path): try Response(contents(ofFile: path), from: name)
        case .server(let url): try await Server(at: url).answer(APIRequest(url))
        }
    }

    /// The sample timeline as a server would answer it.
    static func sampleDocument() throws(LoadingError) -> JSON {
        let path = Bundle.module.bundleURL.appending(path: "sample-timeline.json").path
        do {
            return try JSONDecoder().decode(JSON.self, from: Source.sample.contents(ofFile: path))
        } catch let error as LoadingError {
            throw error
        } catch {
            throw .notJSON(Source.sample.name)
        }
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

extension Response {
    /// Takes an answer apart, which must be one for this program.
    ///
    /// - Parameters:
    ///   - data: The answer.
    ///   - name: The name for errors of where it comes from.
    init(_ data: Data, from name: String) throws(LoadingError) {
        do {
            try self.init(data)
        } catch {
            throw .notJSON(name)
        }
        if isForeign, let leftOut { throw .foreign(name, contents: leftOut) }
    }
}

extension Data {
    /// Whether there is nothing but whitespace.
    var isBlank: Bool { allSatisfy { " \t\r\n".utf8.contains($0) } }
}
