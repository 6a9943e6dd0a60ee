/// What code that doesn't know the type of an entity needs to keep it in memory.
///
/// There is one for each table. It is constant.
@usableFromInline
final class EntityLayout: Sendable {
    /// The distance between two slots, and their alignment.
    let stride: Int, alignment: Int
    /// The distances from the beginning of a slot to its identifier and its entity.
    let idOffset: Int, entityOffset: Int
    /// The size, the distance in an array, and the alignment of an entity.
    let entitySize: Int, entityStride: Int, entityAlignment: Int
    /// Whether identifiers may be compared and released while a lock is held; see ``BuiltInIDs``.
    @usableFromInline let hasBuiltInIDs: Bool
    /// Ends the life of an entity in memory.
    let destroy: @Sendable (UnsafeMutableRawPointer) -> Void
    /// Moves an entity to other memory.
    private let move: @Sendable (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
    /// Ends the life of an identifier in memory.
    private let destroyID: @Sendable (UnsafeMutableRawPointer) -> Void
    /// Moves an identifier out of memory, into an object.
    private let boxID: @Sendable (UnsafeMutableRawPointer) -> AnyObject

    @_semantics("optimize.sil.specialize.generic.never")
    init<Value: Cachable>(of type: Value.Type) {
        stride = SlotLayout<Value>.stride
        alignment = SlotLayout<Value>.alignment
        idOffset = SlotLayout<Value>.idOffset
        entityOffset = SlotLayout<Value>.entityOffset
        entitySize = MemoryLayout<Value>.size
        entityStride = MemoryLayout<Value>.stride
        entityAlignment = MemoryLayout<Value>.alignment
        hasBuiltInIDs = BuiltInIDs.contains(Value.ID.self)
        destroy = { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
        // Not `moveInitialize`, which also copies what is between the end of an entity and the next one in an array.
        move = { $1.initializeMemory(as: Value.self, to: $0.assumingMemoryBound(to: Value.self).move()) }
        destroyID = { $0.assumingMemoryBound(to: Value.ID.self).deinitialize(count: 1) }
        boxID = { Box($0.assumingMemoryBound(to: Value.ID.self).move()) }
    }

    private final class Box<Content> {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }

    /// Moves the entity out of a slot.
    func moveEntity(of slot: Slot, to memory: UnsafeMutableRawPointer) {
        move(UnsafeMutableRawPointer(slot.header) + entityOffset, memory)
        slot.header.pointee.isStored = false
    }

    /// Ends the life of the entity of a slot.
    func destroyEntity(of slot: Slot) {
        destroy(UnsafeMutableRawPointer(slot.header) + entityOffset)
        slot.header.pointee.isStored = false
    }

    /// Ends the life of the identifier of a dropped slot, whose shard is locked.
    ///
    /// - Returns: The identifier, to be released after unlocking, or `nil` if its release runs no user code.
    func endID(of slot: Slot) -> AnyObject? {
        let id = UnsafeMutableRawPointer(slot.header) + idOffset
        if !hasBuiltInIDs { return boxID(id) }
        destroyID(id)
        return nil
    }
}

/// Entities that are taken out of their slots under a lock, to be released after unlocking.
///
/// The memory is allocated before, so that no other thread waits for that.
struct MovedEntities {
    private let layout: EntityLayout
    private let memory: UnsafeMutableRawPointer
    private var count = 0

    init(of layout: EntityLayout, capacity: Int) {
        self.layout = layout
        memory = .allocate(byteCount: capacity * layout.entityStride, alignment: layout.entityAlignment)
    }

    mutating func append(_ slot: Slot) {
        layout.moveEntity(of: slot, to: memory + count * layout.entityStride)
        count += 1
    }

    func release() {
        for place in 0..<count { layout.destroy(memory + place * layout.entityStride) }
        memory.deallocate()
    }
}
