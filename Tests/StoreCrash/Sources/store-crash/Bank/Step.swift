import SeededRandom

/// What one commit changes, besides the position.
enum Step {
    /// Founds all accounts, as deposits.
    case found
    /// Moves money between two accounts, of whichever types.
    case transfer(from: Int, to: Int, amount: Int)
    /// Makes a loan of a deposit, or a deposit of a loan.
    case convert(Int)
    /// Makes deposits of all loans, and removes all of that type.
    case settle
    /// Stores notes, of which some exist.
    case write(ids: Range<Int>, text: String)
    /// Removes all notes.
    case burn
    /// Appends identifiers to the list of recent accounts, unless it has them.
    case append([Int])
    /// Cuts the list of recent accounts.
    case cut(Int)
    /// Lets the reference to a note refer to another one, or to none.
    case refer(Int?)
}

/// The steps of a store.
///
/// They follow from a seed, so each process knows what the store has after any of them.
struct Ledger {
    static let accounts = 0..<64
    static let balance = 1_000
    static let notes = 3_000

    let seed: UInt64

    /// Whether the records are sealed.
    var isSealed: Bool { seed % 2 == 1 }

    /// Returns the step with a number, of which 1 is the first.
    func step(_ number: Int) -> Step {
        if number == 1 { return .found }
        var generator = SeededGenerator(seed: seed, stream: number)
        switch generator.below(400) {
        case 0: return .burn
        case 1..<4: return .settle
        // Some 200 kB, which are written in several pieces.
        case 4..<7: return write(generator.below(2_000), count: 1_000, number, &generator)
        case 7..<40: return write(generator.below(Self.notes - 20), count: 1 + generator.below(20), number, &generator)
        case 40..<70: return .append((0..<1 + generator.below(3)).map { _ in generator.pick(from: Self.accounts) })
        case 70..<80: return .cut(generator.below(30))
        case 80..<90: return .refer(generator.below(4) == 0 ? nil : generator.below(Self.notes))
        case 90..<150: return .convert(generator.pick(from: Self.accounts))
        default:
            return .transfer(
                from: generator.pick(from: Self.accounts),
                to: generator.pick(from: Self.accounts),
                amount: 1 + generator.below(100)
            )
        }
    }

    private func write(_ start: Int, count: Int, _ number: Int, _ generator: inout SeededGenerator) -> Step {
        .write(
            ids: start..<start + count,
            text: "\(number) " + String(repeating: "x", count: generator.below(300))
        )
    }
}
