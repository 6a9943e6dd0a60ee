internal import Synchronization

/// The memory of the slots of a shard, in chunks.
///
/// The number of places in a new chunk grows with the number of slots. A chunk without slots is given back, except for
/// one. So most slots need no allocation, and memory is freed after a peak.
///
/// It isn't thread-safe; the lock of its shard guards it. A full chunk is found only through its slots.
@frozen @usableFromInline
struct SlotSlab<Value: Cachable> {
    /// The first chunk with free places, or `nil` if all chunks are full.
    @usableFromInline var available: UnsafeMutablePointer<SlotChunk>?

    @inlinable init() {}

    /// The distance from the beginning of a chunk to its first place.
    @inlinable static var header: Int {
        let mask = Swift.max(MemoryLayout<SlotContent<Value>>.alignment, 16) - 1
        return (MemoryLayout<SlotChunk>.size + mask) & ~mask
    }

    /// Creates a slot.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - bucket: The bits of its hash.
    ///   - count: The number of slots in the shard.
    @inlinable mutating func make(_ id: Value.ID, bucket: UInt32, count: Int) -> Slot<Value> {
        let stride = MemoryLayout<SlotContent<Value>>.stride
        let chunk =
            available
            ?? addChunk(Self.header, stride: stride, alignment: MemoryLayout<SlotContent<Value>>.alignment, count)
        let places = UnsafeMutableRawPointer(chunk) + Self.header
        let place: UInt16
        if chunk.pointee.free != 0 {
            place = chunk.pointee.free &- 1
            chunk.pointee.free = (places + Int(place) &* stride).load(as: UInt16.self)
        } else {
            place = chunk.pointee.fresh
            chunk.pointee.fresh = place &+ 1
        }
        chunk.pointee.used &+= 1
        chunk.pointee.lastBirth &+= 1
        let birth = chunk.pointee.lastBirth
        if chunk.pointee.used == chunk.pointee.capacity { unlink(chunk) }
        let content = (places + Int(place) &* stride).assumingMemoryBound(to: SlotContent<Value>.self)
        content.initialize(to: SlotContent(id: id, bucket: bucket, birth: birth, place: place))
        return Slot(content)
    }

    /// Frees a slot without entity and extras.
    ///
    /// - Parameter count: The number of remaining slots in the shard.
    /// - Returns: The identifier, to be released when no lock is held.
    @inlinable mutating func free(_ slot: Slot<Value>, count: Int) -> Value.ID {
        let content = UnsafeMutableRawPointer(slot.content)
        let place = slot.content.pointee.place
        // The other variables need no deinitialization.
        let id = content.assumingMemoryBound(to: Value.ID.self).move()
        let places = content - Int(place) &* MemoryLayout<SlotContent<Value>>.stride
        let chunk = (places - Self.header).assumingMemoryBound(to: SlotChunk.self)
        content.storeBytes(of: chunk.pointee.free, as: UInt16.self)
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
    @inlinable mutating func link(_ chunk: UnsafeMutablePointer<SlotChunk>) {
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
    @inlinable mutating func unlink(_ chunk: UnsafeMutablePointer<SlotChunk>) {
        let next = chunk.pointee.next
        let previous = chunk.pointee.previous
        if let previous { previous.pointee.next = next } else { available = next }
        next?.pointee.previous = previous
        chunk.pointee.next = nil
        chunk.pointee.previous = nil
    }

    @inline(never) @usableFromInline mutating func addChunk(
        _ header: Int,
        stride: Int,
        alignment: Int,
        _ count: Int
    ) -> UnsafeMutablePointer<SlotChunk> {
        let capacity = SlotChunk.capacity(of: count, stride: stride)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: header + capacity * stride,
            alignment: Swift.max(alignment, MemoryLayout<SlotChunk>.alignment)
        )
        let chunk = memory.bindMemory(to: SlotChunk.self, capacity: 1)
        chunk.initialize(to: SlotChunk(capacity: UInt16(capacity)))
        link(chunk)
        return chunk
    }

    /// Frees an empty chunk, unless it is small for the shard and the only one with free places.
    @inline(never) @usableFromInline mutating func giveBack(_ chunk: UnsafeMutablePointer<SlotChunk>, _ count: Int) {
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
@frozen @usableFromInline
struct SlotChunk {
    /// The neighbours in the list of the chunks with free places.
    @usableFromInline var next: UnsafeMutablePointer<SlotChunk>?
    @usableFromInline var previous: UnsafeMutablePointer<SlotChunk>?
    @usableFromInline let capacity: UInt16
    /// The number of slots.
    @usableFromInline var used: UInt16 = 0
    /// The first place that was never used.
    @usableFromInline var fresh: UInt16 = 0
    /// The first place that was used and is free, plus one, or 0 if there is none.
    @usableFromInline var free: UInt16 = 0
    /// The last birth that a slot in the memory can have had before the chunk was allocated.
    private let firstBirth: UInt32
    /// The birth of the newest slot.
    @usableFromInline var lastBirth: UInt32

    /// The number of slots that were created in chunks which are deallocated.
    ///
    /// Slots of another shard, type or cache can use their memory afterwards, and have later births.
    private static let pastBirths = Atomic<UInt32>(0)

    init(capacity: UInt16) {
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
