import Foundation
import SeededRandom

/// A search for a sequence on which a cache and the model differ.
enum ModelSearch {
    static let sequenceLength = 200

    /// Whether to print each seed before it is tried, to know the one that ends the process.
    private static let tracesSeeds = ProcessInfo.processInfo.environment["FLATCACHE_TRACE"] != nil

    /// A sequence on which they differ.
    struct Difference: CustomStringConvertible {
        let seed: UInt64
        let operations: [ModelOperation]
        let failure: String

        var description: String {
            """
            \(failure)
            seed \(seed), repeat it with FLATCACHE_SEED=\(seed); all it takes is
            \(ModelOperation.description(of: operations))
            """
        }
    }

    /// Returns the first difference that is found, with the shortest sequence that shows it.
    static func firstDifference(
        seeds: some Sequence<UInt64>,
        of makeSubject: @escaping () -> ModelSubject
    ) async -> Difference? {
        for seed in seeds {
            // Sequences rarely wait; other tests shall have their turns.
            await Task.yield()
            if tracesSeeds { print("seed \(seed)") }
            let operations = ModelGenerator.sequence(seed: seed, count: sequenceLength)
            guard let failure = await ModelRunner.run(operations, on: makeSubject()) else { continue }
            var shrinker = SequenceShrinker { await ModelRunner.run($0, on: makeSubject()) != nil }
            let shortest = await shrinker.shrink(operations)
            let shortFailure = await ModelRunner.run(shortest, on: makeSubject())
            return Difference(seed: seed, operations: shortest, failure: shortFailure ?? failure)
        }
        return nil
    }

    /// The seeds to try, in parts that are tried beside each other.
    static var partsOfSeeds: [Part] {
        let count = UInt64(min(seeds.count, ProcessInfo.processInfo.activeProcessorCount))
        return (0..<count).map { first in
            Part(seeds: stride(from: seeds.lowerBound + first, to: seeds.upperBound, by: Int(count)))
        }
    }

    /// A part of the seeds.
    struct Part: CustomStringConvertible {
        let seeds: StrideTo<UInt64>
        var description: String { "from seed \(seeds.first { _ in true } ?? 0)" }
    }

    /// `FLATCACHE_SEQUENCES` seeds, from `FLATCACHE_SEED` on; a seed alone is tried alone.
    private static var seeds: Range<UInt64> {
        let first = Seeds.replayed ?? 1
        let count = Seeds.replayed == nil ? Extent.count(100, full: 300) : 1
        return first..<first + (Seeds.number("FLATCACHE_SEQUENCES") ?? UInt64(count))
    }
}
