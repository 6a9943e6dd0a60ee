/// A bucket of a hash table.
///
/// It has the hash, so that an entry is looked at only if the hashes are equal.
private struct Bucket {
    let hash: UInt32
    /// The place of the entry plus one, or 0 if the bucket is empty.
    private let number: UInt32

    var isEmpty: Bool { number == 0 }

    /// The place of the entry, or `nil` if the bucket is empty.
    var place: Int? { number == 0 ? nil : Int(number) - 1 }

    init() { (hash, number) = (0, 0) }

    init(hash: UInt32, place: Int) {
        self.hash = hash
        number = UInt32(place) + 1
    }
}

/// The records of a group by key: an open-addressing hash table.
///
/// A record needs 32 bytes for its entry, about 16 for its buckets, and a copy of its key. The keys are in memory, so
/// that looking one up reads no file, also if files are sealed.
struct GroupIndex {
    /// The entries, in the order in which the records were written.
    private(set) var entries = EntryList()
    /// The number of records.
    private(set) var count = 0
    /// The bytes of the records.
    private(set) var size = 0

    /// The number of buckets is a power of two.
    private var buckets = [Bucket](repeating: Bucket(), count: 4)
    /// The keys, each after its length as a number of four bytes.
    private var keys: [UInt8] = []
    /// The bits of hashes that are used.
    ///
    /// Tests use fewer, so that hashes are equal.
    private let hashMask: UInt32

    init(hashMask: UInt32 = .max) {
        self.hashMask = hashMask
    }

    /// Returns the entry of a key, or `nil` if there is no record.
    func entry(of key: UnsafeRawBufferPointer) -> RecordEntry? {
        buckets[bucket(of: key, hash(key))].place.map { entries[$0] }
    }

    /// Notes the newest record of a key.
    mutating func set(_ key: UnsafeRawBufferPointer, log: UInt32, frame: Int, offset: Int, size: Int) {
        let hash = hash(key)
        var bucket = bucket(of: key, hash)
        let keyOffset: Int
        if let place = buckets[bucket].place {
            keyOffset = entries[place].key
            endLife(of: place)
        } else {
            if (count + 1) * 4 > buckets.count * 3 {
                rebuild()
                bucket = self.bucket(of: key, hash)
            }
            keyOffset = appendKey(key)
        }
        entries.append(
            RecordEntry(
                frame: frame,
                key: keyOffset,
                log: log,
                offset: UInt32(offset),
                size: UInt32(size)
            )
        )
        buckets[bucket] = Bucket(hash: hash, place: entries.count - 1)
        count += 1
        self.size += size
        // Often enough that entries without a record need at most half of the memory.
        if entries.count > 2 * count + 1024 { rebuild() }
    }

    /// Forgets the record of a key.
    mutating func remove(_ key: UnsafeRawBufferPointer) {
        let bucket = bucket(of: key, hash(key))
        guard let place = buckets[bucket].place else { return }
        endLife(of: place)
        empty(bucket)
    }

    /// Forgets all records.
    mutating func removeAll() {
        self = GroupIndex(hashMask: hashMask)
    }

    /// Notes that a record has been copied to a newer log, unless the record was replaced or removed.
    mutating func move(_ key: UnsafeRawBufferPointer, to log: UInt32, frame: Int, offset: Int) {
        // Logs that are written after the copy have larger numbers.
        guard let place = buckets[bucket(of: key, hash(key))].place, entries[place].log < log else { return }
        entries.move(place, to: log, frame: frame, offset: UInt32(offset))
    }

    private mutating func endLife(of place: Int) {
        size -= Int(entries[place].size)
        count -= 1
        entries.endLife(of: place)
    }
}

// MARK: - Buckets

extension GroupIndex {
    @inline(__always)
    private func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
        // Seeded for each process, so that nobody can choose keys whose hashes are equal.
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return UInt32(truncatingIfNeeded: hasher.finalize()) & hashMask
    }

    /// Returns the bucket of a key, or the empty bucket for it.
    private func bucket(of key: UnsafeRawBufferPointer, _ hash: UInt32) -> Int {
        let mask = buckets.count - 1
        var bucket = Int(hash) & mask
        while let place = buckets[bucket].place {
            if buckets[bucket].hash == hash && isKey(key, at: entries[place].key) { break }
            bucket = (bucket + 1) & mask
        }
        return bucket
    }

    private func isKey(_ key: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        withKey(at: offset) { $0.isEqual(to: key) }
    }

    private func withKey<Result>(at offset: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        keys.withUnsafeBytes { body($0.part(offset + 4, Int($0.number(UInt32.self, at: offset)))) }
    }

    /// Returns the offset of a key, after appending it to the keys.
    private mutating func appendKey(_ key: UnsafeRawBufferPointer) -> Int {
        keys.append(littleEndian: UInt32(key.count))
        keys.append(contentsOf: key)
        return keys.count - key.count - 4
    }

    /// Empties a bucket, and moves the entries after it that would not be found any more.
    private mutating func empty(_ bucket: Int) {
        let mask = buckets.count - 1
        var hole = bucket
        var next = (hole + 1) & mask
        while !buckets[next].isEmpty {
            let home = Int(buckets[next].hash) & mask
            if (next - home) & mask >= (next - hole) & mask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        buckets[hole] = Bucket()
    }

    /// Makes buckets for twice as many records, and drops entries and keys without a record.
    private mutating func rebuild() {
        let old = self
        var capacity = 4
        while capacity < (count + 1) * 2 { capacity *= 2 }
        buckets = [Bucket](repeating: Bucket(), count: capacity)
        if entries.count == count {
            // All places remain, so no key is hashed again.
            for bucket in old.buckets where !bucket.isEmpty { insert(bucket) }
            return
        }
        entries = EntryList()
        keys = []
        keys.reserveCapacity(old.keys.count)
        for place in 0..<old.entries.count where old.entries[place].isLive {
            var entry = old.entries[place]
            let hash = old.withKey(at: entry.key) { key in
                entry.key = appendKey(key)
                return self.hash(key)
            }
            entries.append(entry)
            insert(Bucket(hash: hash, place: entries.count - 1))
        }
    }

    /// Puts a bucket of a key that the index doesn't have in its place.
    private mutating func insert(_ new: Bucket) {
        let mask = buckets.count - 1
        var bucket = Int(new.hash) & mask
        while !buckets[bucket].isEmpty { bucket = (bucket + 1) & mask }
        buckets[bucket] = new
    }
}
