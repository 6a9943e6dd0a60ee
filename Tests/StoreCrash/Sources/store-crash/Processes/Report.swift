import Foundation

/// A report of a process to the one that started it: a line on its standard output.
enum Report: Equatable {
    /// The store is open, at a step.
    case opened(step: Int)
    /// A step survives crashes.
    case acknowledged(step: Int)
    case began(Operation)
    case ended(Operation)
    /// The process writes the store, at a step.
    case holds(step: Int)
    /// The process lets others write the store, at a step.
    case suspended(step: Int)

    /// Sends the report, and ends the process if nobody reads it.
    func send() {
        let line = Array("\(text)\n".utf8)
        // Lines are shorter than what a pipe takes whole, so those of several threads aren't mixed.
        if write(STDOUT_FILENO, line, line.count) != line.count { exit(1) }
    }

    private var text: String {
        switch self {
        case .opened(let step): "opened \(step)"
        case .acknowledged(let step): "acknowledged \(step)"
        case .began(let operation): "began \(operation)"
        case .ended(let operation): "ended \(operation)"
        case .holds(let step): "holds \(step)"
        case .suspended(let step): "suspended \(step)"
        }
    }

    init?(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 2 else { return nil }
        let (step, operation) = (Int(words[1]), Operation(rawValue: String(words[1])))
        switch (words[0], step, operation) {
        case ("opened", let step?, _): self = .opened(step: step)
        case ("acknowledged", let step?, _): self = .acknowledged(step: step)
        case ("began", _, let operation?): self = .began(operation)
        case ("ended", _, let operation?): self = .ended(operation)
        case ("holds", let step?, _): self = .holds(step: step)
        case ("suspended", let step?, _): self = .suspended(step: step)
        default: return nil
        }
    }
}
