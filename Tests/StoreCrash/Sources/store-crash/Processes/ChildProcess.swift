import Foundation

/// A process that runs this program with another command, and whose reports are read.
final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    /// The step of the last acknowledgement that was read.
    private(set) var acknowledged = 0
    /// The operations that have begun and not ended, according to the reports that were read.
    private(set) var running: Set<Operation> = [.open]
    /// How many compactions have ended, according to the reports that were read.
    private(set) var compactions = 0

    /// Starts a process.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Reads the next report.
    ///
    /// - Parameter deadline: When to stop waiting, or `nil` to wait for it.
    /// - Returns: The report, or `nil` if there is none at the deadline or the process has ended.
    func next(until deadline: ContinuousClock.Instant? = nil) throws -> Report? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: bytes[..<end], as: UTF8.self)
                bytes.removeSubrange(...end)
                guard let report = Report(line) else { throw Failure("a process reports '\(line)'") }
                note(report)
                return report
            }
            guard try read(until: deadline) else { return nil }
        }
    }

    /// Reads reports until one meets a condition.
    func wait(for condition: (Report) -> Bool) throws {
        while let report = try next() {
            if condition(report) { return }
        }
        throw Failure("the process \(process.arguments ?? []) has ended by itself; its error is above")
    }

    /// Sends a line.
    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    /// Kills the process, and reads what it has reported before.
    func kill() throws {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        while try next() != nil {}
        guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
            throw Failure(
                "the process \(process.arguments ?? []) has ended by itself before it was killed; its error is above"
            )
        }
    }

    private func note(_ report: Report) {
        switch report {
        case .opened: running.remove(.open)
        case .acknowledged(let step): acknowledged = max(acknowledged, step)
        case .began(let operation): running.insert(operation)
        case .ended(let operation):
            running.remove(operation)
            if operation == .compact { compactions += 1 }
        case .holds, .suspended: break
        }
    }

    /// Reads some bytes.
    ///
    /// - Returns: Whether there were any before the deadline and the end of the process.
    private func read(until deadline: ContinuousClock.Instant?) throws -> Bool {
        if isAtEnd { return false }
        let descriptor = output.fileHandleForReading.fileDescriptor
        if let deadline {
            let rest = max(.zero, deadline - .now).components
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = rest.seconds * 1_000 + rest.attoseconds / 1_000_000_000_000_000
            if poll(&request, 1, Int32(clamping: milliseconds)) == 0 { return false }
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0 && errno != EINTR { throw Failure("reports can't be read: error \(errno)") }
        isAtEnd = count == 0
        bytes += buffer.prefix(max(0, count))
        return count != 0
    }
}
