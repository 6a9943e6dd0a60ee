import FlatCache
import TestThreads
import Testing

/// Entities are in memory that a layout describes, so each shape of a value must come back as it was.
@Suite("Shapes of entities", .mayBlock)
struct EntityShapeTests {
    @Test(
        "S1: Entities of any size, alignment and kind are stored, replaced, kept for snapshots, observed and released"
    )
    func shapes() async {
        await check(isOne: true) { number, _, _ in Nothing(number: number) }
        await check { number, text, _ in Byte(id: UInt8(number), text: text) }
        await check { number, text, _ in Padded(id: number, text: text, flag: true) }
        await check { number, text, _ in
            Aligned(id: AlignedID(part: SIMD4(repeating: Float(number))), lanes: SIMD16(repeating: number), text: text)
        }
        await check { number, text, _ in Large(id: number, text: text) }
        await check { number, text, token in Existential(id: "\(number)", content: text, token: token) }
        await check { number, text, token in Referring(id: number, text: text, token: token) }
        await check { number, text, token in
            Nested<String>.Inner<Int>(id: Pair(first: "\(number)", second: number), content: [text], token: token)
        }
        await check { number, text, token in
            number.isMultiple(of: 2) ? Choice.text(number, text, token) : Choice.number(number, [text], token)
        }
    }

    /// Does everything to entities that happens to the memory of slots.
    ///
    /// - Parameters:
    ///   - isOne: Whether the type has only one entity.
    ///   - make: Makes an entity of a number, with a text, and with an object that must be released.
    private func check<Value: Cachable>(
        isOne: Bool = false,
        _ make: @escaping @Sendable (Int, String, Token) -> Value
    ) async {
        let alive = Protected(0)
        do {
            let cache = FlatCache()
            let numbers = 0..<(isOne ? 1 : 40)
            let value: @Sendable (Int, Int) -> Value = { number, state in
                make(number, "\(String(repeating: "a text of its own ", count: 3))\(state)", Token(alive))
            }
            let id: @Sendable (Int) -> Value.ID = { value($0, 0).id }
            func expect(_ found: Value?, _ number: Int, _ state: Int, _ line: Int = #line) {
                #expect(found.map { "\($0)" } == "\(value(number, state))", "\(Value.self), line \(line)")
            }
            let changes = Protected<[String]>([])
            let subscription = cache.observe(Value.self, id: id(0), initial: false) { change in
                let texts = [change.oldValue, change.value].map { $0.map { "\($0)" } ?? "-" }
                changes.withLock { $0.append(texts.joined(separator: " > ")) }
            }
            for number in numbers { cache.set(value(number, 0)) }
            for number in numbers { expect(cache.get(id: id(number)), number, 0) }
            let handle = Cached(Value.self, id: id(0), in: cache)
            cache.read {
                // The snapshot keeps what another thread replaces and removes.
                RunningThread {
                    cache.set(contentsOf: numbers.map { value($0, 1) })
                    cache.update(Value.self, id: id(0)) { $0 = value(0, 2) }
                    cache.transaction {
                        for number in numbers.dropFirst(20) { cache.set(value(number, 3)) }
                        for number in numbers.dropFirst(30) { _ = cache.remove(Value.self, id: id(number)) }
                    }
                }
                .finish()
                for number in numbers { expect(cache.get(id: id(number)), number, 0) }
                #expect(cache.allValues(of: Value.self).count == numbers.count)
            }
            expect(handle.value, 0, 2)
            for number in numbers.dropFirst() {
                if number < 30 { expect(cache.get(id: id(number)), number, number < 20 ? 1 : 3) }
                #expect(cache.contains(Value.self, id: id(number)) == (number < 30))
            }
            cache.read {
                RunningThread { cache.removeAll(of: Value.self) }.finish()
                expect(cache.get(id: id(0)), 0, 2)
            }
            #expect(cache.count(of: Value.self) == 0)
            cache.set(value(0, 4))
            expect(handle.value, 0, 4)
            subscription.cancel()
            let states = [nil, 0, 1, 2, nil, 4]
            let expected = zip(states, states.dropFirst()).map { states in
                [states.0, states.1].map { $0.map { "\(value(0, $0))" } ?? "-" }.joined(separator: " > ")
            }
            #expect(changes.withLock { $0 } == expected, "\(Value.self)")
        }
        // A thread releases the cache after its end is noticed.
        #expect(await eventually { alive.withLock { $0 } == 0 }, "\(Value.self)")
    }
}

private struct Nothing: Cachable, CustomStringConvertible {
    init(number: Int) {}

    var id: Bool { true }

    var description: String { "nothing" }
}

private struct Byte: Cachable {
    let id: UInt8
    var text: String
}

private struct Padded: Cachable {
    let id: Int
    var text: String
    /// Its spare bits make an optional end here, before the end of the stride.
    var flag: Bool
}

private struct AlignedID: Hashable {
    var part: SIMD4<Float>
}

private struct Aligned: Cachable {
    let id: AlignedID
    var flag = true
    var lanes: SIMD16<Int>
    var text: String
}

private struct Large: Cachable {
    let id: Int
    var first = SIMD64<Double>(repeating: 2), second = SIMD64<Double>(repeating: 3),
        third = SIMD64<Double>(repeating: 4)
    var fourth = SIMD64<Double>(repeating: 5), fifth = SIMD64<Double>(repeating: 6),
        sixth = SIMD64<Double>(repeating: 7)
    var text: String
}

private struct Existential: Cachable, CustomStringConvertible {
    let id: String
    var content: any Sendable & CustomStringConvertible
    var token: any Sendable

    var description: String { "\(id) \(content)" }
}

private struct Referring: Cachable, CustomStringConvertible, @unchecked Sendable {
    let id: Int
    var text: String
    var token: Token
    /// It can't be moved by copying its bytes.
    weak var other: Token?

    init(id: Int, text: String, token: Token) {
        self.id = id
        self.text = text
        self.token = token
        other = token
    }

    var description: String { "\(id) \(text) \(other === token)" }
}

private struct Pair<First: Hashable & Sendable, Second: Hashable & Sendable>: Hashable, Sendable {
    let first: First
    let second: Second
}

private enum Nested<First: Hashable & Sendable> {
    struct Inner<Second: Hashable & Sendable>: Cachable, CustomStringConvertible {
        let id: Pair<First, Second>
        var content: [String]
        var token: Token

        var description: String { "\(id) \(content)" }
    }
}

private enum Choice: Cachable, CustomStringConvertible {
    case text(Int, String, Token)
    case number(Int, [String], Token)

    var id: Int {
        switch self {
        case .text(let id, _, _), .number(let id, _, _): id
        }
    }

    var description: String {
        switch self {
        case .text(let id, let text, _): "\(id) \(text)"
        case .number(let id, let texts, _): "\(id) \(texts)"
        }
    }
}
