import Foundation

extension JSONDecoder {
    /// The decoder of the API's responses.
    static var mastodon: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            // Servers write times with and without fractions of a second.
            let date =
                (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
                ?? (try? Date(text, strategy: .iso8601))
            guard let date else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no time")
            }
            return date
        }
        return decoder
    }
}

/// An enumeration of words that servers send, of which one stands for words that are newer than this program.
protocol CodableWithUnknown: Codable, RawRepresentable<String> {
    static var unknown: Self { get }
}

extension CodableWithUnknown {
    init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
}
