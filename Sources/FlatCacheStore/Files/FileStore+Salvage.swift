internal import FlatCache
import Foundation

extension FileStore {
    /// What ``salvage()`` has done.
    public struct SalvageReport: Sendable {
        /// A file with bytes that were damaged, or that came after them.
        public struct Copy: Hashable, Sendable {
            /// The path of the file.
            public let file: String
            /// The path of the file in which the bytes were.
            public let source: String
            /// The offset of the bytes in this file.
            public let offset: Int
            /// The number of bytes.
            public let bytes: Int
        }

        /// The damage, or `nil` if there was none and nothing was changed.
        public internal(set) var damage: FileStoreError?

        /// The files with everything that the store has no more.
        ///
        /// They remain in the folder until they are removed, or the store is erased.
        public internal(set) var copies: [Copy] = []
    }

    /// Makes a damaged store usable: keeps all batches before the damage, and copies the rest into files.
    ///
    ///     do {
    ///         try store.open(.readWrite)
    ///     } catch FileStoreError.damaged {
    ///         let report = try store.salvage()
    ///         try store.open(.readWrite)
    ///     }
    ///
    /// If the manifest is damaged, the logs are found by their names. They are kept from the last one that continues no
    /// other, up to the first one that is damaged or missing. If the damage is in a log that a compaction has written, the
    /// records before it are kept, which are not the state after a batch.
    ///
    /// Call it on a store that isn't open.
    ///
    /// - Returns: What was damaged, and the files with the rest. Nothing is changed if no file is damaged.
    /// - Throws: A ``FileStoreError``. Nothing is lost then.
    /// - Complexity: O(*n*) in the bytes of the logs.
    public func salvage() throws -> SalvageReport {
        try requireClosed()
        let folderLock = try folder.lock()
        return try withExtendedLifetime(folderLock) {
            var salvage = try Salvage(folder, sealing)
            return try salvage.run()
        }
    }
}

/// The steps of ``FileStore/salvage()``.
private struct Salvage {
    private let folder: StoreFolder
    private let sealing: FileStore.Sealing?
    private let names: [String]
    private var manifest: Manifest
    private var report = FileStore.SalvageReport()
    /// The bytes to copy: the rest of files from offsets on.
    private var rests: [(name: String, offset: Int)] = []

    init(_ folder: StoreFolder, _ sealing: FileStore.Sealing?) throws {
        self.folder = folder
        self.sealing = sealing
        names = try folder.names()
        do {
            guard let manifest = try folder.manifest() else {
                throw FileStoreError.damaged(file: folder.path(FileFormat.manifestName), offset: 0, .missingManifest)
            }
            self.manifest = manifest
        } catch let error as FileStoreError {
            guard case .damaged = error else { throw error }
            report.damage = error
            manifest = try Manifest(ofLogsIn: folder, names)
            if names.contains(FileFormat.manifestName) { rests.append((FileFormat.manifestName, 0)) }
            let used = manifest.logs.map { FileFormat.logName($0.number) }
            rests += names.filter { FileFormat.logNumber($0) != nil && !used.contains($0) }.map { ($0, 0) }
        }
    }

    mutating func run() throws -> FileStore.SalvageReport {
        let contents = try readUndamaged()
        guard report.damage != nil else { return report }
        for rest in rests { try copy(rest.name, from: rest.offset) }
        try folder.sync()
        try install(contents)
        return report
    }

    /// Reads the logs up to the first damage.
    private mutating func readUndamaged() throws -> StoreContents {
        let (undamaged, damage) = try folder.openablePart(of: manifest)
        report.damage = report.damage ?? damage
        var replay = LogReplay(undamaged, in: folder, sealing: sealing)
        do {
            try replay.readUndamaged(undamaged, for: .writing)
        } catch let error as FileStoreError {
            guard case .damaged = error else { throw error }
            report.damage = error
        }
        let last = replay.contents.logs.count - 1
        // A torn tail that damage follows is a part of the rest.
        if report.damage != nil, last >= 0, replay.contents.end.offset < replay.files[last].size {
            rests.append((FileFormat.logName(manifest.logs[last].number), replay.contents.end.offset))
        }
        if report.damage != nil {
            let later = manifest.logs.dropFirst(last + 1).map { FileFormat.logName($0.number) }
            rests += later.filter(names.contains).map { ($0, 0) }
        }
        return replay.contents
    }

    /// Copies the rest of a file into a new one.
    private mutating func copy(_ name: String, from offset: Int) throws {
        let source = try folder.open(name, for: .reading)
        let existing = try folder.names()
        let base = "\(FileFormat.damagedPrefix)\(name)-\(offset)"
        let numbered = (2...).lazy.map { "\(base)-\($0)" }
        let target = existing.contains(base) ? numbered.first { !existing.contains($0) } ?? base : base
        let size = try folder.replace(target) { file in
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var copied = 0
            while true {
                let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0, at: offset + copied) }
                if count == 0 { return copied }
                try buffer.withUnsafeBytes { try file.write($0.part(0, count), at: copied) }
                copied += count
            }
        }
        let copy = FileStore.SalvageReport.Copy(
            file: folder.path(target),
            source: folder.path(name),
            offset: offset,
            bytes: size
        )
        report.copies.append(copy)
    }

    /// Cuts the last log that is kept, and writes a manifest that goes on in a new log.
    private func install(_ contents: StoreContents) throws {
        let number = (names.compactMap(FileFormat.logNumber).max() ?? 0) + 1
        let logs = contents.logs.contains { $0.size > LogHeader.size } ? contents.logs : []
        let size =
            if logs.isEmpty {
                try folder.createFirstLog(number, after: contents.firstSequence).end.offset
            } else {
                try LogFile.create(number, in: folder).file.size()
            }
        if let last = logs.last { try last.file.file.truncate(to: contents.end.offset) }
        for kept in logs { try kept.file.file.sync() }
        var new = Manifest(ofEmptyLog: number, after: contents.firstSequence, size: size)
        let kept = logs.map { Manifest.Log(number: $0.file.number, syncedBytes: UInt64($0.size)) }
        new.logs.insert(contentsOf: kept, at: 0)
        try folder.write(new)
    }
}

extension Manifest {
    /// Finds the logs of a store whose manifest is damaged.
    ///
    /// The logs that a compaction has copied, or that were erased, may still be there. So the first log is the last one that
    /// continues no other. Without such a log, that one is damaged or missing, and there are none. The last log is that before the
    /// first one that is damaged or doesn't continue the one before.
    fileprivate init(ofLogsIn folder: StoreFolder, _ names: [String]) throws {
        let numbers = names.compactMap(FileFormat.logNumber).sorted()
        guard !numbers.isEmpty || names.contains(FileFormat.manifestName) else {
            throw FileStoreError.missing(folder: folder.path)
        }
        var logs: [Log] = []
        var (first, last) = (UInt64(0), UInt64(0))
        var isBroken = true
        for number in numbers {
            let batches = try LogFile.batches(of: number, in: folder)
            if let range = batches?.range, batches?.isBeginning == true {
                logs = []
                first = range.lowerBound
                isBroken = false
            } else if batches == nil || batches?.range.map({ $0.lowerBound != last }) == true {
                isBroken = true
            }
            if isBroken { continue }
            logs.append(Log(number: number, syncedBytes: 0))
            last = batches?.range?.upperBound ?? last
        }
        self.init(epoch: 0, firstSequence: first, logs: logs)
    }
}

extension LogFile {
    /// The batches of a log.
    fileprivate struct Batches {
        /// The sequence numbers of the last batch before and of the last one before the first damage, or `nil` if there are no
        /// frames.
        var range: ClosedRange<UInt64>?
        /// Whether it continues no other log: it begins with the first batch of a store, or with a copy of all records.
        var isBeginning = false
    }

    /// Returns the batches of a log, or `nil` if its beginning is damaged.
    fileprivate static func batches(of number: UInt32, in folder: StoreFolder) throws -> Batches? {
        do {
            return try open(number, in: folder, for: .reading).batches()
        } catch FileStoreError.damaged {
            return nil
        }
    }

    private func batches() throws -> Batches? {
        var reader = try FrameReader(self)
        guard let frame = try reader.frame(at: LogHeader.size) else {
            return reader.limit == LogHeader.size ? Batches() : nil
        }
        let isCopy = frame.header.flags.contains(.isCopy)
        // A proof has the number of the batch before it.
        let isAfter = isCopy || frame.header.flags.contains(.isProof)
        let first = frame.header.sequence &- (isAfter ? 0 : 1)
        var position = LogPosition(startOf: self, after: first)
        while let frame = try reader.frame(at: position.offset), position.isFollowed(by: frame) {
            position.move(after: frame)
        }
        guard first <= position.sequence else { return nil }
        return Batches(range: first...position.sequence, isBeginning: isCopy || first == 0)
    }
}

extension FileStore.SalvageReport: CustomStringConvertible, CustomReflectable {
    /// A line with the number of copies and the damage: `FileStore.SalvageReport: 2 copies`.
    public var description: String {
        let copies = Summary.count(copies.count, "copy", "copies")
        return Summary.line("FileStore.SalvageReport", nil, [copies, damage.map { "\($0)" }])
    }

    /// The copies.
    public var customMirror: Mirror { Mirror(self, children: ["copies": copies]) }
}
