package import Foundation

/// The files of a store as they were at one moment, with their records.
///
/// The logs stay open, so their records can be read after a store that writes has removed the files.
package struct InspectedStore {
    /// What is in the files.
    package let inspection: FileStoreInspection
    /// What the logs have before the damage, or `nil` if the manifest is damaged.
    private let contents: StoreContents?
    private let sealing: FileStore.Sealing?

    /// Reads the files of a store, as ``FileStore/inspect(_:sealing:)`` does.
    package init(_ folder: URL, sealing: FileStore.Sealing? = nil) throws {
        try self.init(StoreFolder(folder, system: PosixFileSystem()), sealing: sealing)
    }

    init(_ folder: StoreFolder, sealing: FileStore.Sealing?) throws {
        var inspector: Inspector
        var attempts = 0
        repeat {
            inspector = Inspector()
            try inspector.read(folder, sealing)
            attempts += 1
            // A store that writes may have removed or cut logs meanwhile.
        } while inspector.result.damage != nil && attempts < 5
        inspection = inspector.result
        contents = inspector.contents
        self.sealing = sealing
    }

    /// Calls a closure with the records of some groups, as ``FileStore/read(_:_:)`` does.
    ///
    /// Records after a damage, and sealed ones without a key, are left out.
    package func read(
        _ groups: Set<RecordGroup>,
        _ body: (RecordGroup, [StoredRecord]) throws -> Void
    ) throws {
        guard let contents else { return }
        var reader = RecordReader(groups, of: contents, sealing)
        try reader.forEachPart(body)
    }
}

/// Collects what a replay reads.
private final class Inspector {
    private(set) var result = FileStoreInspection(formatVersion: Int(FileFormat.version))
    private(set) var contents: StoreContents?

    func read(_ folder: StoreFolder, _ sealing: FileStore.Sealing?) throws {
        do {
            let (manifest, damage) = try folder.openablePart(of: Self.manifest(of: folder))
            result.damage = damage
            var replay = LogReplay(manifest, in: folder, sealing: sealing)
            replay.ignoresSealedRecords = true
            replay.observe = add
            defer { finish(replay) }
            try replay.readUndamaged(manifest, for: .reading)
        } catch let error as FileStoreError {
            guard case .damaged = error else { throw error }
            result.damage = error
        }
    }

    private static func manifest(of folder: StoreFolder) throws -> Manifest {
        if let manifest = try folder.manifest() { return manifest }
        do {
            _ = try folder.logsWithoutBatches()
        } catch let error as FileStoreError where error.isMissingFile {
            // There is no folder.
        }
        throw FileStoreError.missing(folder: folder.path)
    }

    private func add(_ frame: Frame, of log: LogFile, _ payload: ArraySlice<UInt8>) {
        let header = frame.header
        if result.logs.last?.file != log.path { result.logs.append(FileStoreInspection.Log(file: log.path, bytes: 0)) }
        let place = result.logs.count - 1
        let first = result.logs[place].sequences?.lowerBound ?? header.sequence
        result.logs[place].sequences = first...max(first, header.sequence)
        result.logs[place].batches += header.flags.contains(.endsBatch) ? 1 : 0
        result.logs[place].isCompacted = header.flags.contains(.isCopy)
        result.isSealed = result.isSealed || header.flags.contains(.isSealed)
        // The payload is valid, because it was applied.
        for part in (try? Payload.parts(of: payload)) ?? [] {
            result.groups[part.group, default: FileStoreInspection.Group()].changes += part.changes.count
        }
    }

    private func finish(_ replay: LogReplay) {
        contents = replay.contents
        let found = result.logs
        result.logs = replay.files.map { file, size in
            var log = found.first { $0.file == file.path } ?? FileStoreInspection.Log(file: file.path, bytes: 0)
            log.bytes = size
            return log
        }
        for (group, count) in replay.contents.index.counts {
            result.groups[group]?.records = count
            result.groups[group]?.bytes = replay.contents.index[group]?.size ?? 0
        }
        if let stop = replay.stop, !stop.isDamage {
            let file = replay.files[stop.log]
            result.tail = FileStore.OpeningReport.Cut(
                file: file.file.path,
                offset: stop.offset,
                bytes: file.size - stop.offset
            )
        }
    }
}
