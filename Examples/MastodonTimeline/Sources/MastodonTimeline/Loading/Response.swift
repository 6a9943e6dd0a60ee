import FlatCache
import Foundation

/// The answer of a server, or the contents of a file.
struct Response: Sendable {
    let data: Data
    /// The name for messages of where it comes from.
    let name: String

    /// Decodes the response.
    ///
    ///     let page = try await server.answer(.publicTimeline).payload(of: [Status].self)
    ///     cache.store(page)
    ///
    /// - Throws: When there is nothing of a kind, or not even JSON.
    func payload<Root>(of type: Root.Type) throws(LoadingError) -> Payload<Root> {
        // Strings in other encodings would be lost, and the rest would be shown.
        guard String(validating: data, as: UTF8.self) != nil else { throw .notJSON(name) }
        do {
            return try JSONDecoder.mastodon.decode(Payload<Root>.self, from: data)
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw .notJSON(name)
        } catch {
            throw .foreign(name, contents: "\(LeftOut(error))")
        }
    }
}

extension Data {
    /// Whether there is nothing but whitespace.
    var isBlank: Bool { allSatisfy { " \t\r\n".utf8.contains($0) } }
}
