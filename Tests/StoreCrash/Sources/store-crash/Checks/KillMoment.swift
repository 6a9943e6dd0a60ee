import Foundation
import SeededRandom

/// When a process is killed.
enum KillMoment: CustomStringConvertible {
    /// Some time after its start.
    case afterStart(Duration)
    /// Some time after the store is open.
    case afterOpening(Duration)
    /// Some time after an operation has begun, the n-th time.
    case during(Operation, count: Int, Duration)

    init(_ generator: inout SeededGenerator) {
        switch generator.below(10) {
        case 0: self = .afterStart(.microseconds(generator.below(60_000)))
        case 1..<5: self = .afterOpening(.microseconds(generator.below(200_000)))
        case 5..<8: self = .during(.compact, count: 1 + generator.below(3), .microseconds(generator.below(15_000)))
        case 8: self = .during(.flush, count: 1 + generator.below(10), .microseconds(generator.below(500)))
        default: self = .during(.write, count: 1 + generator.below(50), .microseconds(generator.below(3_000)))
        }
    }

    var description: String {
        switch self {
        case .afterStart(let time): "\(time) after its start"
        case .afterOpening(let time): "\(time) after its opening"
        case .during(let operation, let count, let time): "\(time) after the beginning of its \(operation) \(count)"
        }
    }

    /// Waits for the moment.
    ///
    /// - Throws: A ``Failure`` if the process has ended by itself.
    func wait(for process: ChildProcess) throws {
        switch self {
        case .afterStart(let time): try read(process, until: .now + time)
        case .afterOpening(let time):
            try process.wait { if case .opened = $0 { true } else { false } }
            try read(process, until: .now + time)
        case .during(let operation, let count, let time):
            var rest = count
            try process.wait { report in
                if report == .began(operation) { rest -= 1 }
                return rest == 0
            }
            try read(process, until: .now + time)
        }
    }

    /// Reads reports until a time, so that the process never waits for its reader.
    private func read(_ process: ChildProcess, until deadline: ContinuousClock.Instant) throws {
        while try process.next(until: deadline) != nil, .now < deadline {}
        // The last part of a millisecond, for which nobody can wait otherwise.
        while .now < deadline {}
    }
}
