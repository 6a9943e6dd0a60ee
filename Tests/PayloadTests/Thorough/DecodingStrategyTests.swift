import FlatCache
import Foundation
import Testing

/// The strategies of Foundation's decoders, which a payload leaves to them.
@Suite("Decoding strategies")
struct DecodingStrategyTests {
    /// A strategy with a value, as the encoder with the same strategy writes it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let encode: @Sendable (JSONEncoder) -> Void
        let decode: @Sendable (JSONDecoder) -> Void

        init(
            _ name: String,
            _ encode: @escaping @Sendable (JSONEncoder) -> Void,
            _ decode: @escaping @Sendable (JSONDecoder) -> Void
        ) {
            testDescription = name
            self.encode = encode
            self.decode = decode
        }
    }

    static let cases = [
        Case("deferred", { _ in }, { _ in }),
        Case(
            "seconds",
            { $0.dateEncodingStrategy = .secondsSince1970 },
            { $0.dateDecodingStrategy = .secondsSince1970 }
        ),
        Case(
            "milliseconds",
            { $0.dateEncodingStrategy = .millisecondsSince1970 },
            { $0.dateDecodingStrategy = .millisecondsSince1970 }
        ),
        Case("ISO 8601", { $0.dateEncodingStrategy = .iso8601 }, { $0.dateDecodingStrategy = .iso8601 }),
        Case(
            "formatted dates",
            { $0.dateEncodingStrategy = .formatted(formatter) },
            { $0.dateDecodingStrategy = .formatted(formatter) }
        ),
        Case(
            "custom dates",
            {
                $0.dateEncodingStrategy = .custom { date, encoder in
                    var container = encoder.container(keyedBy: DayKey.self)
                    try container.encode(Int(date.timeIntervalSince1970 / 86_400), forKey: .day)
                }
            },
            {
                $0.dateDecodingStrategy = .custom { decoder in
                    let day = try decoder.container(keyedBy: DayKey.self).decode(Int.self, forKey: .day)
                    return Date(timeIntervalSince1970: Double(day) * 86_400)
                }
            }
        ),
        Case(
            "data as bytes",
            { $0.dataEncodingStrategy = .deferredToData },
            { $0.dataDecodingStrategy = .deferredToData }
        ),
        Case(
            "custom data",
            {
                $0.dataEncodingStrategy = .custom { data, encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(data.map { String($0) }.joined(separator: " "))
                }
            },
            {
                $0.dataDecodingStrategy = .custom { decoder in
                    let text = try decoder.singleValueContainer().decode(String.self)
                    return Data(text.split(separator: " ").compactMap { UInt8($0) })
                }
            }
        ),
        Case(
            "custom keys",
            { $0.keyEncodingStrategy = .custom { Key("x-" + ($0.last?.stringValue ?? "")) } },
            { $0.keyDecodingStrategy = .custom { Key(String($0.last?.stringValue.dropFirst(2) ?? "")) } }
        ),
        Case(
            "snake case",
            { $0.keyEncodingStrategy = .convertToSnakeCase },
            { $0.keyDecodingStrategy = .convertFromSnakeCase }
        ),
        Case(
            "numbers beyond JSON",
            {
                $0.nonConformingFloatEncodingStrategy =
                    .convertToString(positiveInfinity: "far", negativeInfinity: "-far", nan: "?")
            },
            {
                $0.nonConformingFloatDecodingStrategy =
                    .convertFromString(positiveInfinity: "far", negativeInfinity: "-far", nan: "?")
            }
        ),
    ]

    @Test("Values of each strategy are decoded as the decoder decodes them alone", arguments: cases)
    func asTheDecoder(strategy: Case) throws {
        let encoder = JSONEncoder()
        let decoder = JSONDecoder()
        strategy.encode(encoder)
        strategy.decode(decoder)
        let isBeyond = strategy.testDescription == "numbers beyond JSON"
        let sent = SentReport(
            id: 1,
            madeAt: Date(timeIntervalSince1970: 86_400 * 20_000),
            rawBytes: Data([0, 1, 250]),
            highestValue: isBeyond ? .infinity : 1.5,
            reportAuthor: Writer(id: 7, name: "W")
        )
        let data = try encoder.encode([sent])
        let payload = try decoder.decode(Payload<[Report]>.self, from: data)
        #expect(payload.problems.isEmpty)
        let cache = FlatCache()
        let report = try #require(cache.store(payload).value?.first)
        // Without a payload, the decoder reads the same values.
        let alone = try #require(try decoder.decode([SentReport].self, from: data).first)
        #expect(report.madeAt == alone.madeAt && report.madeAt == sent.madeAt)
        #expect(report.rawBytes == alone.rawBytes && report.rawBytes == sent.rawBytes)
        #expect(report.highestValue == alone.highestValue && report.highestValue == sent.highestValue)
        #expect(report.reportAuthorID == 7)
        #expect(cache.get(Writer.self, id: 7) == sent.reportAuthor)
    }

    @Test("A value that a strategy can't read is a problem, and the others are stored")
    func unreadable() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let json = """
            [{"id": 1, "madeAt": "tomorrow", "rawBytes": "AA==", "highestValue": 1,
              "reportAuthor": {"id": 7, "name": "W"}},
             {"id": 2, "madeAt": "2024-01-02T03:04:05Z", "rawBytes": "AA==", "highestValue": 1, "reportAuthor": 8}]
            """
        let cache = FlatCache()
        let stored = cache.store(try decoder.decode(Payload<[Report]>.self, from: Data(json.utf8)))
        // The path is the decoder's own, which leaves out the key of a date that isn't ISO 8601.
        let alone = #expect(throws: DecodingError.self) { try decoder.decode([SentReport].self, from: Data(json.utf8)) }
        guard case .dataCorrupted(let context) = alone else {
            Issue.record("\(String(describing: alone))")
            return
        }
        #expect(stored.problems.map { $0.codingPath.map(\.stringValue) } == [context.codingPath.map(\.stringValue)])
        #expect(cache.allValues(of: Report.self).map(\.id) == [2])
        #expect(cache.get(Writer.self, id: 7) != nil)
    }

    private enum DayKey: CodingKey {
        case day
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) {
            stringValue = name
        }

        init?(stringValue: String) {
            self.init(stringValue)
        }

        init?(intValue: Int) { nil }
    }

    private static let formatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy/MM/dd HH:mm:ss"
        return formatter
    }()

    struct SentReport: Codable {
        let id: Int
        var madeAt: Date
        var rawBytes: Data
        var highestValue: Double
        var reportAuthor: Writer
    }

    struct Report: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: Int
        var madeAt: Date
        var rawBytes: Data
        var highestValue: Double
        var reportAuthorID: Writer.ID

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("madeAt", \.madeAt), .init("rawBytes", \.rawBytes),
                .init("highestValue", \.highestValue),
                .init("reportAuthorID", \.reportAuthorID, Writer.self, "reportAuthorId", "reportAuthor"),
            ]
        }
    }
}
