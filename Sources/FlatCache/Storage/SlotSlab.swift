internal import Synchronization

/// The memory of the slots of a shard, in chunks.
///
/// The number of places in a new chunk grows with the number of slots. A chunk without slots is given back, except for
/// one. So most slots need no allocation, and memory is freed after a peak.
///
/// It isn't thread-safe; the lock of its shard guards it. A full chunk is found only through its slots.
@frozen @usableFromInline
struct SlotSlab {
    /// The first chunk with free places, or `nil` if all chunks are full.
    @usableFromInline var available: UnsafeMutablePointer<SlotChunk>?

    @inlinable init() {}

    /// The distance from the beginning of a chunk to its first place.
    private static func header(_ layout: EntityLayout) -> Int {
        let mask = Swift.max(layout.alignment, 16) - 1
        return (MemoryLayout<SlotChunk>.size + mask) & ~mask
    }

    /// Creates a slot, whose identifier the caller must initialize.
    ///
    /// - Parameters:
    ///   - layout: The layout of the slots of the shard.
    ///   - bucket: The bits of the hash of the identifier.
    ///   - count: The number of slots in the shard.
    mutating func make(_ layout: EntityLayout, bucket: UInt32, count: Int) -> Slot {
        let header = Self.header(layout)
        let chunk = available ?? addChunk(header, layout, count)
        let places = UnsafeMutableRawPointer(chunk) + header
        let place: UInt8
        if chunk.pointee.free != 0 {
            place = chunk.pointee.free &- 1
            chunk.pointee.free = (places + Int(place) &* layout.stride).load(as: UInt8.self)
        } else {
            place = chunk.pointee.fresh
            chunk.pointee.fresh = place &+ 1
        }
        chunk.pointee.used &+= 1
        chunk.pointee.lastBirth &+= 1
        let birth = chunk.pointee.lastBirth
        if chunk.pointee.used == chunk.pointee.capacity { unlink(chunk) }
        let memory = (places + Int(place) &* layout.stride).assumingMemoryBound(to: SlotHeader.self)
        memory.initialize(to: SlotHeader(bucket: bucket, birth: birth, place: place))
        return Slot(memory)
    }

    /// Frees a slot without entity and extras.
    ///
    /// - Parameters:
    ///   - layout: The layout of the slots of the shard.
    ///   - count: The number of remaining slots in the shard.
    /// - Returns: The identifier, to be released after unlocking, or `nil` if that runs no user code.
    mutating func free(_ slot: Slot, _ layout: EntityLayout, count: Int) -> AnyObject? {
        let memory = UnsafeMutableRawPointer(slot.header)
        let place = slot.header.pointee.place
        // The other variables need no deinitialization.
        let id = layout.endID(of: slot)
        let places = memory - Int(place) &* layout.stride
        let chunk = (places - Self.header(layout)).assumingMemoryBound(to: SlotChunk.self)
        memory.storeBytes(of: chunk.pointee.free, as: UInt8.self)
        chunk.pointee.free = place &+ 1
        let wasFull = chunk.pointee.used == chunk.pointee.capacity
        chunk.pointee.used &-= 1
        if wasFull { link(chunk) }
        if chunk.pointee.used == 0 { giveBack(chunk, count) }
        return id
    }

    /// Frees all chunks, none of which has a slot.
    func destroy() {
        var next = available
        while let chunk = next {
            next = chunk.pointee.next
            SlotChunk.deallocate(chunk)
        }
    }

    /// Adds a chunk to those with free places, behind the first one, so that chunks with few slots become empty.
    private mutating func link(_ chunk: UnsafeMutablePointer<SlotChunk>) {
        guard let first = available else {
            available = chunk
            return
        }
        let next = first.pointee.next
        chunk.pointee.previous = first
        chunk.pointee.next = next
        next?.pointee.previous = chunk
        first.pointee.next = chunk
    }

    /// Removes a chunk from those with free places.
    private mutating func unlink(_ chunk: UnsafeMutablePointer<SlotChunk>) {
        let next = chunk.pointee.next
        let previous = chunk.pointee.previous
        if let previous { previous.pointee.next = next } else { available = next }
        next?.pointee.previous = previous
        chunk.pointee.next = nil
        chunk.pointee.previous = nil
    }

    private mutating func addChunk(
        _ header: Int,
        _ layout: EntityLayout,
        _ count: Int
    ) -> UnsafeMutablePointer<SlotChunk> {
        let capacity = SlotChunk.capacity(of: count, stride: layout.stride)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: header + capacity * layout.stride,
            alignment: Swift.max(layout.alignment, MemoryLayout<SlotChunk>.alignment)
        )
        let chunk = memory.bindMemory(to: SlotChunk.self, capacity: 1)
        chunk.initialize(to: SlotChunk(capacity: UInt8(capacity)))
        link(chunk)
        return chunk
    }

    /// Frees an empty chunk, unless it is small for the shard and the only one with free places.
    private mutating func giveBack(_ chunk: UnsafeMutablePointer<SlotChunk>, _ count: Int) {
        if SlotChunk.keepsSpare, chunk.pointee.next == nil, chunk.pointee.previous == nil,
            Int(chunk.pointee.capacity) <= Swift.max(SlotChunk.minimum, count)
        {
            return
        }
        unlink(chunk)
        SlotChunk.deallocate(chunk)
    }
}

/// The beginning of a chunk of slots, before its places.
///
/// A free place that was used contains the next one.
@usableFromInline
struct SlotChunk {
    /// The neighbours in the list of the chunks with free places.
    var next: UnsafeMutablePointer<SlotChunk>?
    var previous: UnsafeMutablePointer<SlotChunk>?
    let capacity: UInt8
    /// The number of slots.
    var used: UInt8 = 0
    /// The first place that was never used.
    var fresh: UInt8 = 0
    /// The first place that was used and is free, plus one, or 0 if there is none.
    var free: UInt8 = 0
    /// The last birth that a slot in the memory can have had before the chunk was allocated.
    private let firstBirth: UInt32
    /// The birth of the newest slot.
    var lastBirth: UInt32

    /// The number of slots that were created in chunks which are deallocated.
    ///
    /// Slots of another shard, type or cache can use their memory afterwards, and have later births.
    private static let pastBirths = Atomic<UInt32>(0)

    init(capacity: UInt8) {
        self.capacity = capacity
        firstBirth = Self.pastBirths.load(ordering: .relaxed)
        lastBirth = firstBirth
    }

    /// Frees the memory of a chunk without slots.
    static func deallocate(_ chunk: UnsafeMutablePointer<SlotChunk>) {
        pastBirths.wrappingAdd(chunk.pointee.lastBirth &- chunk.pointee.firstBirth, ordering: .relaxed)
        UnsafeMutableRawPointer(chunk).deallocate()
    }

    #if FLATCACHE_SINGLE_SLOTS
    // Each slot has its own allocation, so that the address sanitizer finds every use of a dropped slot.
    static let keepsSpare = false
    static let minimum = 1

    static func capacity(of count: Int, stride: Int) -> Int { 1 }
    #else
    static let keepsSpare = true
    static let minimum = 2

    /// The number of places in a new chunk of a shard with a number of slots.
    static func capacity(of count: Int, stride: Int) -> Int {
        let most = Swift.min(Swift.max(8_192 / stride, minimum), 32)
        return Swift.min(Swift.max(count / 2, minimum), most)
    }
    #endif
}
