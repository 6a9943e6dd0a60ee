import FlatCache
import FlatCacheStore
import Foundation

/// Writes a store in turn with another process, by suspending and resuming.
///
/// Each also commits something while its store is suspended, which must be there after it is resumed.
struct HandOverCheck {
    private let options: Options
    private var partner: ChildProcess?
    private var kills = 0
    /// The turn after which the partner has committed something while it was suspended.
    private var lastVisit = 0

    init(_ options: Options) { self.options = options }

    mutating func run() async throws {
        let begin = ContinuousClock.now
        do {
            let bank = try await Bank(at: options.folder, options.ledger)
            for turn in 1...options.count { try await self.turn(turn, bank) }
            let step = try bank.check().step
            try await bank.close()
            try partner?.kill()
            print(
                """
                seed \(options.seed): \(options.count) turns, \(kills) of which ended by a kill, up to step \(step), \
                in \((ContinuousClock.now - begin).components.seconds) s
                """
            )
        } catch {
            try? partner?.kill()
            throw Failure("hand-over --seed \(options.seed): \(error)\nThe store: \(options.folder.path)")
        }
        try? FileManager.default.removeItem(at: options.folder)
    }

    /// Writes, lets the partner write, and goes on with what that has written.
    private mutating func turn(_ turn: Int, _ bank: Bank) async throws {
        try await bank.write(turn: turn)
        try await bank.cache.store?.suspend()
        bank.cache.set(Visit(id: "host", turn: turn))
        let partner = try startPartner(turn)
        var step = 0
        try partner.wait { report in
            if case .holds(let held) = report { step = held }
            return step > 0
        }
        try await refuseResuming(bank)
        let isKilled = turn % 7 == 0
        if isKilled {
            try partner.kill()
            self.partner = nil
            kills += 1
        } else {
            try partner.send("suspend")
            try partner.wait { $0 == .suspended(step: step) }
        }
        try await bank.cache.store?.resume()
        do { try check(bank, turn, step) } catch { throw Failure("turn \(turn): \(error)") }
        if !isKilled { lastVisit = turn }
    }

    private func check(_ bank: Bank, _ turn: Int, _ step: Int) throws {
        try bank.check(least: step)
        if bank.cache.step != step { throw Failure("the step is \(bank.cache.step) instead of \(step)") }
        for (name, expected) in [("host", turn), ("partner", lastVisit)] {
            let visit = bank.cache.turn(of: name)
            if visit != expected { throw Failure("the last visit of the \(name) is \(visit) instead of \(expected)") }
        }
    }

    /// Lets the partner resume, or starts another one if it was killed.
    private mutating func startPartner(_ turn: Int) throws -> ChildProcess {
        if let partner {
            try partner.send("resume \(turn)")
            return partner
        }
        let partner = try ChildProcess([
            "partner", "--folder", options.folder.path, "--seed", "\(options.seed)", "--round", "\(turn)",
        ])
        self.partner = partner
        return partner
    }

    private func refuseResuming(_ bank: Bank) async throws {
        do {
            try await bank.cache.store?.resume()
        } catch StoreError.failed(.resume, FileStoreError.inUse) {
            return
        }
        throw Failure("the store could be resumed while another process writes it")
    }
}

extension Bank {
    /// Writes what a process writes in a turn, so that all of it survives: sometimes so much that the other one has to read
    /// everything again, and sometimes into a new log.
    func write(turn: Int) async throws {
        makeSteps(1 + turn * 7 % 40)
        if turn % 5 == 0 {
            for number in 0..<9 {
                cache.set(Ballast(text: "\(turn) \(number) " + String(repeating: "x", count: 1 << 20)))
                try await cache.flush()
            }
        }
        if turn % 3 == 0 { try store.store.compact() }
        try await cache.flush()
    }
}

extension FlatCache {
    /// The turn of the last visit of a process.
    func turn(of process: String) -> Int { get(Visit.self, id: process)?.turn ?? 0 }
}
