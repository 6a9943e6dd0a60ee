/// An entity outside of its slot, with a count of references: one that a commit has replaced, or one that isn't committed.
///
/// It is one allocation, whatever the type is, and code without the type can keep and release it. It doesn't change.
struct EntityBox: @unchecked Sendable {  // Entities are sendable, and a box doesn't change.
    private let memory: Memory

    /// Creates a box with an entity.
    @_semantics("optimize.sil.specialize.generic.never")
    init<Value: Cachable>(_ entity: consuming Value, _ layout: EntityLayout) {
        memory = Memory.make(layout)
        memory.address.initializeMemory(as: Value.self, to: entity)
    }

    /// Moves the entity of a slot into a box.
    init(movedFrom slot: Slot, _ layout: EntityLayout) {
        memory = Memory.make(layout)
        layout.moveEntity(of: slot, to: memory.address)
    }

    /// Moves an entity out of memory into a box.
    init(movedFrom entity: UnsafeMutableRawPointer, _ layout: EntityLayout) {
        memory = Memory.make(layout)
        layout.move(entity, to: memory.address)
    }

    /// Copies an entity into a box.
    init(copyOf entity: UnsafeRawPointer, _ layout: EntityLayout) {
        memory = Memory.make(layout)
        layout.copy(entity, to: memory.address)
    }

    /// The entity.
    @_semantics("optimize.sil.specialize.generic.never")
    func entity<Value: Cachable>(of type: Value.Type) -> Value {
        memory.address.assumingMemoryBound(to: type).pointee
    }

    /// The address of the entity, as long as the box exists.
    var address: UnsafeRawPointer { UnsafeRawPointer(memory.address) }

    private final class Memory: ManagedBuffer<EntityLayout, UInt64> {
        static func make(_ layout: EntityLayout) -> Memory {
            // The first element has the alignment of a word.
            let bytes = layout.entitySize + max(layout.entityAlignment - MemoryLayout<UInt64>.alignment, 0)
            let words = (bytes + MemoryLayout<UInt64>.size - 1) / MemoryLayout<UInt64>.size
            return unsafeDowncast(create(minimumCapacity: words) { _ in layout }, to: Memory.self)
        }

        var address: UnsafeMutableRawPointer {
            withUnsafeMutablePointers { layout, words in
                UnsafeMutableRawPointer(words).alignedUp(toMultipleOf: layout.pointee.entityAlignment)
            }
        }

        deinit { header.destroy(address) }
    }
}
