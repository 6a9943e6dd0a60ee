import FlatCache
import FlatCacheStore
import Foundation

/// The process that writes in turn with another one.
///
/// The other one sends it commands as lines:
///
///     resume TURN
///     suspend
struct Partner {
    let options: Options

    func run() async throws {
        let bank = try await Bank(at: options.folder, options.ledger)
        var turn = options.round
        try await write(bank, turn)
        while let line = readLine() {
            let words = line.split(separator: " ")
            switch (words.first, words.last.flatMap { Int($0) }) {
            case ("suspend", _):
                try await bank.cache.store?.suspend()
                bank.cache.set(Visit(id: "partner", turn: turn))
                Report.suspended(step: bank.cache.step).send()
            case ("resume", let next?):
                turn = next
                try await bank.cache.store?.resume()
                try await write(bank, turn)
            default: throw Failure("'\(line)' is neither 'resume TURN' nor 'suspend'")
            }
        }
    }

    private func write(_ bank: Bank, _ turn: Int) async throws {
        try bank.check()
        let seen = bank.cache.turn(of: "host")
        if seen != turn - 1 {
            throw Failure("turn \(turn): the last visit of the host is \(seen) instead of \(turn - 1)")
        }
        try await bank.write(turn: turn)
        Report.holds(step: bank.cache.step).send()
    }
}
