import Foundation
import Testing

@testable import FlatCacheStore

/// Encodes values and decodes them again, with the shapes of all that were encoded.
struct Coding {
    let encoder = RecordEncoder()

    func record(of value: some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try encoder.encode(value, into: &bytes)
        return bytes
    }

    func decode<Value: Decodable>(_ type: Value.Type, from record: [UInt8]) throws -> Value {
        try RecordDecoder(shapes: encoder.shapes).decode(type, from: record[...])
    }

    func text(_ value: some Encodable) throws -> String {
        try RecordText.json(record(of: value)[...], shapes: encoder.shapes)
    }
}

/// Returns a value after it was encoded and decoded.
func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    let coding = Coding()
    return try coding.decode(Value.self, from: coding.record(of: value))
}

/// Expects that a value is the same after it was encoded and decoded, also as a member and as an element.
func expectRoundTrip<Value: Codable & Equatable>(
    _ value: Value,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(try roundTrip(value) == value, sourceLocation: sourceLocation)
    let holder = Holder(value: value, some: value, none: nil, list: [value, value], named: ["a": value])
    #expect(try roundTrip(holder) == holder, sourceLocation: sourceLocation)
}

struct Holder<Value: Codable & Equatable>: Codable, Equatable {
    var value: Value
    var some: Value?
    var none: Value?
    var list: [Value]
    var named: [String: Value]
}

extension DecodingError {
    /// The path to the value that can't be decoded, as a text, and the message.
    var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "")
        }
    }

    var path: String { context.codingPath.path }
}

extension [any CodingKey] {
    var path: String { map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined() }
}

/// Returns the error of a decoding.
func decodingError(_ body: () throws -> Void) throws -> DecodingError {
    try #require(throws: DecodingError.self, performing: body)
}

/// A value that a closure encodes.
struct ByHand: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

enum Letter: String, CodingKey { case a, b, c, d }
