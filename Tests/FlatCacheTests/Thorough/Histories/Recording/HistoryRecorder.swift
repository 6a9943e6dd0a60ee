import TestThreads

@testable import FlatCache

/// Runs programs on a cache, and records what the threads see.
struct HistoryRecorder {
    /// Makes a cache that holds nothing.
    let makeSubject: @Sendable () -> any HistorySubject

    /// Returns what each of several programs led to.
    ///
    /// The threads live through all of them and meet before each.
    func record(_ programs: [HistoryProgram]) async -> [RecordedRound] {
        let rounds = programs.map { Round($0, makeSubject()) }
        let threadCount = programs.map(\.threads.count).max() ?? 0
        let barrier = SpinningBarrier(of: threadCount)
        onThreads(threadCount) { thread in
            for round in rounds {
                barrier.wait()
                round.run(thread)
            }
        }
        await Delivery.waitForTasks()
        return rounds.map { $0.end() }
    }

    /// Returns the first complaint about the programs of some seeds.
    func firstComplaint(
        _ seeds: [UInt64],
        _ shape: HistoryProgram.Shape,
        _ complaint: (RecordedRound) -> String? = { $0.complaint }
    ) async -> String? {
        // Not one by one, for the threads are expensive to start; not all at once, for histories take memory.
        for start in stride(from: 0, to: seeds.count, by: 100) {
            let programs = seeds[start..<min(start + 100, seeds.count)].map { HistoryProgram(seed: $0, shape: shape) }
            for round in await record(programs) {
                if let complaint = complaint(round) { return complaint }
            }
        }
        return nil
    }

    /// One program and its cache.
    private final class Round: Sendable {
        private let program: HistoryProgram
        private let subject: any HistorySubject
        private let clock = HistoryClock()
        private let processes = Protected<[[History.Event]]>([])
        private let deliveries = Recorder<ObserverLog.Delivery>()
        private let subscription: any Sendable

        init(_ program: HistoryProgram, _ subject: any HistorySubject) {
            self.program = program
            self.subject = subject
            for key in History.Key.all {
                if let value = program.initial[key] { _ = subject.perform(.set(key, value)) }
            }
            subscription = subject.observe(program.observed) { [clock, deliveries] revision, value in
                deliveries.record(ObserverLog.Delivery(revision: revision, value: value, tick: clock.tick()))
                // Lets other threads commit during the notification.
                pause(Int(revision % 40))
            }
        }

        func run(_ thread: Int) {
            guard program.threads.indices.contains(thread) else { return }
            var events: [History.Event] = []
            // They lie within the reads, so they can't be of the same process, in which one call follows the other.
            var asides: [History.Event] = []
            for call in program.threads[thread] {
                events += record(call) { asides += self.record($0) }
            }
            processes.withLock { $0 += [events, asides] }
        }

        private func record(_ call: History.Call, aside: (History.Call) -> Void = { _ in }) -> [History.Event] {
            let called = clock.tick()
            let observations = subject.perform(call, aside: aside)
            let returned = clock.tick()
            if case .pause = call { return [] }
            let event = History.Event(call: call, observations: observations, called: called, returned: returned)
            return [event]
        }

        func end() -> RecordedRound {
            let final = History.Key.all.flatMap { self.record(.step(.get($0))) }
            let log = ObserverLog(
                key: program.observed,
                deliveries: deliveries.elements,
                final: subject.perform(.get(program.observed))
            )
            let threads = processes.withLock { $0 }
            return RecordedRound(
                program: program,
                history: History(initial: program.initial, processes: threads + [log.reads, final]),
                log: log
            )
        }
    }
}

/// What a program led to.
struct RecordedRound {
    let program: HistoryProgram
    /// The calls of the threads, the deliveries as reads, and at last a read of every key.
    let history: History
    let log: ObserverLog

    /// What can't be explained, or `nil` when everything can.
    var complaint: String? {
        if let complaint = log.complaint { return "\(complaint)\n\(context)" }
        if HistoryChecker.explanation(of: history) == nil { return "no order explains this history\n\(context)" }
        return nil
    }

    /// The part that concerns one key.
    func part(of key: History.Key) -> RecordedRound {
        RecordedRound(program: program, history: history.part(of: key), log: log)
    }

    private var context: String {
        """
        FLATCACHE_SEED=\(program.seed) runs the program again
        initially \(program.initial)
        \(history)
        """
    }
}
