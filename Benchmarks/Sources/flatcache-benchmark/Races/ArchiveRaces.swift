import BenchmarkReport
import FlatCache
import FlatCacheStore
import Foundation

/// What it takes to have messages of 17 properties in a cache after the app starts, and on disk before.
enum ArchiveRaces {
    private typealias Clock = @Sendable (_ body: () async throws -> Void) async throws -> Duration

    /// Opens, reads, decodes and stores all messages.
    static func restoring(_ count: Int, _ label: String) -> Race {
        let row = "store/restore/\(label)"
        let clocks: [(row: String, clock: Clock)] = [
            (row, { try await processorTime($0) }),
            // Several threads decode at once.
            ("\(row)/waiting", { try await ContinuousClock().measure($0) }),
        ]
        return Race(clocks[0].row, clocks[1].row, slowness: 2) {
            let archives = filled(with: Message.messages(count))
            return clocks.flatMap { row, clock in
                archives.map { archive, folder in
                    Contestant(row, archive.name, against: .init(row, JSONArchive.name)) {
                        withExtendedLifetime(folder) { time(archive, of: count, clock) }
                    }
                }
            }
        }
    }

    /// The bytes of the files for each message.
    static func sizes(_ count: Int) -> Race {
        let row = "store/bytes"
        return Race(row, slowness: 100) {
            filled(with: Message.messages(count)).filter { type(of: $0.archive).hasOwnFormat }.map { archive, folder in
                Contestant(row, archive.name, against: .init(row, JSONArchive.name), unit: .bytes) {
                    Double(folder.size) / Double(count)
                }
            }
        }
    }

    private static func filled(with messages: [Message]) -> [(archive: any Archive, folder: TemporaryFolder)] {
        allArchives.map { type in
            let folder = TemporaryFolder()
            return (succeedInTask { try await type.init(of: messages, in: folder.url) }, folder)
        }
    }

    /// The time for each message, without that for closing the store and removing the cache from memory.
    private static func time(_ archive: any Archive, of count: Int, _ clock: @escaping Clock) -> Double {
        succeedInTask {
            var cache: FlatCache?
            let duration = try await clock { cache = try await archive.restoredCache() }
            precondition(cache?.count(of: Message.self) == count, "\(archive.name) has lost messages.")
            try await cache?.store?.close()
            return duration.nanoseconds / Double(count)
        }
    }
}
