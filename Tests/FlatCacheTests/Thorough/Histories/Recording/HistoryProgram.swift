import SeededRandom

/// What each of several threads is to do, drawn from a seed.
struct HistoryProgram: Sendable {
    let seed: UInt64
    let initial: History.State
    let threads: [[History.Call]]
    /// A key to observe meanwhile.
    let observed: History.Key

    /// What programs may contain.
    struct Shape: Sendable {
        var threads = 2...4
        var calls = 4...8
        /// The keys of a program are some of these.
        var keys = History.Key.all
        /// The kinds of calls; those that are there twice are twice as frequent.
        var kinds: [Kind]
        /// How many calls stand in a transaction or read.
        var bodyLength = 2...4

        enum Kind: Sendable {
            case single, several, transaction, read
        }
    }

    init(seed: UInt64, shape: Shape) {
        var writer = HistoryProgramWriter(seed: seed, shape: shape)
        self.seed = seed
        initial = writer.initialState()
        threads = writer.threads()
        observed = writer.key()
    }
}

/// Draws the parts of a program.
struct HistoryProgramWriter {
    typealias Call = History.Call

    private let shape: HistoryProgram.Shape
    private let keys: [History.Key]
    private var random: SeededGenerator
    private var lastValue = 10

    init(seed: UInt64, shape: HistoryProgram.Shape) {
        self.shape = shape
        random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...min(4, shape.keys.count), using: &random)
        keys = Array(shape.keys.shuffled(using: &random).prefix(count))
    }

    mutating func initialState() -> History.State {
        var state = History.State()
        for key in keys where isDrawn(oneIn: 2) { state[key] = newValue() }
        return state
    }

    mutating func threads() -> [[Call]] {
        (0..<draw(shape.threads)).map { _ in
            (0..<draw(shape.calls)).flatMap { _ in [pause(), call()] }
        }
    }

    mutating func key() -> History.Key { draw(keys) }

    private mutating func call() -> Call {
        switch draw(shape.kinds) {
        case .single: .step(isDrawn(oneIn: 12) ? .getThrough(.observer, key()) : singleStep())
        case .several: .step(step())
        case .transaction: transaction()
        case .read: .read(draw(0...1) == 0 ? reads() : readsWithAsides())
        }
    }

    private mutating func transaction() -> Call {
        .transaction(body { $0.transactionPart() }, fails: isDrawn(oneIn: 8))
    }

    private mutating func transactionPart() -> Call {
        switch draw(0...15) {
        case 0: .transaction(body { .step($0.singleStep()) }, fails: isDrawn(oneIn: 2))
        case 1: .read(reads())
        case 2...4: .step(step())
        default: .step(singleStep())
        }
    }

    private mutating func reads() -> [Call] {
        body { writer in
            writer.isDrawn(oneIn: 10)
                ? .read(writer.body { .step($0.reading()) })
                : .step(writer.reading())
        }
    }

    /// Reads between which the same thread writes.
    private mutating func readsWithAsides() -> [Call] {
        body { writer in
            switch writer.draw(0...5) {
            case 0: .aside(.step(writer.writing()))
            case 1: .aside(writer.transaction())
            default: .step(writer.reading())
            }
        }
    }

    private mutating func body(_ part: (inout Self) -> Call) -> [Call] {
        (0..<draw(shape.bodyLength)).flatMap { _ in [part(&self), pause()] }
    }

    /// A step that returns something and changes nothing.
    private mutating func reading() -> History.Step {
        let key = key()
        return switch draw(0...7) {
        case 0: .contains(key)
        case 1: .allValues(key.kind)
        case 2: .count(key.kind)
        case 3: .getThrough(.handle, key)
        default: .get(key)
        }
    }

    /// A step that changes something; others, in the body of a read, would be part of it.
    private mutating func writing() -> History.Step {
        while true {
            let step = step()
            if !step.isReading { return step }
        }
    }

    /// A step that concerns one key.
    private mutating func singleStep() -> History.Step {
        let key = key()
        return switch draw(0...11) {
        case 0...2: .get(key)
        case 3: .getThrough(.handle, key)
        case 4: .contains(key)
        case 5, 6: .set(key, newValue())
        case 7: .remove(key)
        case 8: .failingUpdate(key)
        default: .update(key, appending: newValue())
        }
    }

    /// Any step.
    private mutating func step() -> History.Step {
        let key = key()
        switch draw(0...11) {
        case 0, 1: return .allValues(key.kind)
        case 2: return .removeAll(key.kind)
        case 3: return .removeEverything
        case 4...7:
            let numbers = keys.filter { $0.kind == key.kind }.map(\.number)
            return .setSeveral(key.kind, Dictionary(uniqueKeysWithValues: numbers.map { ($0, newValue()) }))
        case 8:
            let other = self.key()
            if other == key { return singleStep() }
            return .updateStoring(key, appending: newValue(), other, newValue())
        default: return singleStep()
        }
    }

    /// A value that no other write of the program has: two digits, as many as the writes of a program need.
    private mutating func newValue() -> Int {
        lastValue = lastValue == 99 ? 10 : lastValue + 1
        return lastValue
    }

    private mutating func pause() -> Call { .pause(draw(0...40)) }

    private mutating func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func draw<Element>(_ elements: [Element]) -> Element {
        elements[draw(0...elements.count - 1)]
    }

    private mutating func isDrawn(oneIn count: Int) -> Bool { draw(1...count) == 1 }
}
