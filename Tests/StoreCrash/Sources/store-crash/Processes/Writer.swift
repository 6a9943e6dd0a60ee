import Dispatch
import FlatCache
import FlatCacheStore
import Foundation
import SeededRandom

/// The process that is killed: it commits without end, flushes and compacts now and then, and reports what it does.
struct Writer {
    let options: Options

    func run() async throws {
        let settings = WriteSettings(round: options.round)
        let bank = try await Bank(at: options.folder, options.ledger, settings: settings) { operation, moment in
            (moment == .begin ? Report.began(operation) : .ended(operation)).send()
        }
        Report.opened(step: bank.cache.step).send()
        let (cache, store, ledger, errors) = (bank.cache, bank.store, bank.ledger, bank.errors)
        try await withThrowingTaskGroup { group in
            for thread in 0..<settings.threads {
                var generator = SeededGenerator(seed: options.seed, stream: options.round * 2 + thread)
                group.addTask {
                    while true {
                        cache.makeNextStep(of: ledger)
                        switch generator.below(300) {
                        case 0..<3:
                            try await flush(cache, errors)
                        case 3 where thread == 0: compact(store, errors)
                        default: break
                        }
                        if !options.toleratesErrors { try errors.check() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func flush(_ cache: FlatCache, _ errors: ReportedErrors) async throws {
        let step = cache.step
        do {
            try await cache.flush()
            Report.acknowledged(step: step).send()
        } catch  where options.toleratesErrors {
            errors.add(error)
        }
    }

    /// Begins to compact, while commits go on.
    private func compact(_ store: ObservedStore, _ errors: ReportedErrors) {
        DispatchQueue.global().async {
            do { try store.perform(.compact) { try store.store.compact() } } catch is CancellationError {
            } catch { errors.add(.failed(.write, error)) }
        }
    }
}
