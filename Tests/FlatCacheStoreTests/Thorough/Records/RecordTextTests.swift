import Foundation
import Testing

@testable import FlatCacheStore

/// A record is readable without its type.
@Suite struct RecordTextTests {
    @Test("Values of all kinds are JSON")
    func kinds() throws {
        let coding = Coding()
        func expect(_ value: some Encodable, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            #expect(try coding.text([value]) == "[\(text)]", sourceLocation: sourceLocation)
        }
        try expect(5, "5")
        try expect(-500, "-500")
        try expect(UInt128.max, "340282366920938463463374607431768211455")
        try expect(Int128.min, "-170141183460469231731687303715884105728")
        try expect(0.1, "0.1")
        try expect(1e300, "1e+300")
        try expect(Float(0.1), "0.1")
        try expect(Decimal(string: "-12.50"), "-12.5")
        try expect(Decimal.nan, #""NaN""#)
        try expect(Double.nan, #""nan""#)
        try expect(-Double.infinity, #""-inf""#)
        try expect(true, "true")
        try expect(Int?.none, "null")
        try expect(Data([1, 2, 3]), #""AQID""#)
        try expect(URL(string: "https://example.com/a"), #""https://example.com/a""#)
        try expect(Date(timeIntervalSinceReferenceDate: 0.5), #""2001-01-01T00:00:00.500Z""#)
        try expect(Date(timeIntervalSinceReferenceDate: 1e300), "1e+300")
        try expect(Date(timeIntervalSinceReferenceDate: .infinity), #""inf""#)
        let uuid = UUID()
        try expect(uuid, "\"\(uuid.uuidString)\"")
        try expect(Sample.Part(name: "a", size: nil), #"{"name":"a"}"#)
        try expect([String: Int](), "{}")
    }

    @Test("Texts are escaped so that JSON decoders read them back")
    func escaping() throws {
        let text =
            String(String.UnicodeScalarView((0...0x2FF).compactMap { Unicode.Scalar($0) })) + "\u{2028}👍🏽e\u{301}\r\n"
        let json = try Coding().text([text: text])
        #expect(
            json.contains(#"\u0000\u0001"#) && json.contains(#"\t\n\u000b"#) && json.contains(#"\"#)
                && json.contains(#"\""#)
        )
        let decoded = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        #expect(decoded[text].map { Array($0.utf8) } == Array(text.utf8))
    }
}
