import Foundation
import SeededRandom

@testable import FlatCacheStore

/// A value with members of all kinds.
struct Sample: Codable, Equatable {
    struct Part: Codable, Equatable {
        var name: String
        var size: Double?
    }

    var id: Int
    var title: String
    var subtitle: String?
    var isRead: Bool
    var rating: Float
    var created: Date
    var edited: Date?
    var link: URL?
    var key: UUID
    var content: Data
    var price: Decimal
    var mood: Mood
    var figure: Figure
    var parts: [Part]
    var first: Part?
    var counts: [String: Int]
    var tags: Set<String>
    var wide: UInt128

    static func random(_ random: inout SeededGenerator) -> Sample {
        Sample(
            id: Int(truncatingIfNeeded: random.next() >> UInt64(random.below(64))),
            title: random.text(),
            subtitle: random.maybe { $0.text() },
            isRead: random.below(2) == 0,
            rating: Float(random.below(1_000)) / 7,
            created: Date(timeIntervalSinceReferenceDate: Double(random.below(1 << 30)) / 3),
            edited: random.maybe { Date(timeIntervalSinceReferenceDate: Double($0.below(1 << 30))) },
            link: random.maybe { URL(string: "https://example.com/\($0.below(1_000))") } ?? nil,
            key: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(random.below(256)))),
            content: Data((0..<random.below(20)).map { UInt8($0) }),
            price: Decimal(random.below(100_000)) / 100,
            mood: random.pick(from: [.calm, .busy]),
            figure: random.figure(depth: 3),
            parts: (0..<random.below(3)).map { _ in random.part() },
            first: random.maybe { $0.part() },
            counts: Dictionary(uniqueKeysWithValues: (0..<random.below(4)).map { ("\($0)", $0) }),
            tags: Set((0..<random.below(4)).map { "tag \($0)" }),
            wide: UInt128(random.next()) << UInt128(random.below(64))
        )
    }
}

extension SeededGenerator {
    mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
        below(3) > 0 ? make(&self) : nil
    }

    mutating func text() -> String {
        String((0..<below(pick(from: [2, 20, 200]))).map { _ in pick(from: Array("abc é漢👍\"\\\n\u{7}")) })
    }

    fileprivate mutating func part() -> Sample.Part {
        Sample.Part(name: text(), size: maybe { Double($0.below(100)) / 8 })
    }

    fileprivate mutating func figure(depth: Int) -> Figure {
        switch below(depth > 0 ? 4 : 2) {
        case 0: .point
        case 1: .circle(radius: Double(below(9)))
        case 2: .named(text(), figure(depth: depth - 1))
        default: .group((0..<below(3)).map { _ in figure(depth: depth - 1) })
        }
    }
}

enum Mood: String, Codable, CodingKeyRepresentable { case calm, busy }

indirect enum Figure: Codable, Equatable {
    case point
    case circle(radius: Double)
    case named(String, Figure)
    case group([Figure])
}

struct Comment: Codable, Equatable {
    var text: String
    var replies: [Comment]
}

struct VersionA: Codable, Equatable {
    var id: Int
    var title: String
    var likes: Int
    var text: String
}

/// The type after `likes` was removed, `language` added, and all reordered.
struct VersionB: Codable, Equatable {
    var text: String
    var id: Int
    var language: String?
    var title: String
}
