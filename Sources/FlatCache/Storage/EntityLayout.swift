/// What code that doesn't know the type of an entity needs to keep it in memory.
///
/// There is one for each table. It is constant.
@usableFromInline
class EntityLayout: @unchecked Sendable {  // Constant.
    /// The distance between two slots, and their alignment.
    final let stride: Int, alignment: Int
    /// The distances from the beginning of a slot to its identifier and its entity.
    final let idOffset: Int, entityOffset: Int
    /// The size, the distance in an array, and the alignment of an entity.
    final let entitySize: Int, entityStride: Int, entityAlignment: Int
    /// The distance of identifiers in an array.
    final let idStride: Int
    /// The size of a ``SlotChange`` in words, and the distance from its identifier to its old entity, which the new one follows.
    final let changeWords: Int, changeOffset: Int
    /// Whether identifiers may be compared and released while a lock is held; see ``BuiltInIDs``.
    @usableFromInline final let hasBuiltInIDs: Bool
    private let idKind: IDKind
    /// Whether an entity can be moved by copying its bytes.
    private let isMovedByBytes: Bool
    /// The comparison of entities, so that writing an equal value doesn't notify, or `nil` if the type isn't `Equatable`.
    final let equality: ValueEquality?

    @_semantics("optimize.sil.specialize.generic.never")
    fileprivate init<Value: Cachable>(_: Value.Type) {
        stride = SlotLayout<Value>.stride
        alignment = SlotLayout<Value>.alignment
        idOffset = SlotLayout<Value>.idOffset
        entityOffset = SlotLayout<Value>.entityOffset
        entitySize = MemoryLayout<Value>.size
        entityStride = MemoryLayout<Value>.stride
        entityAlignment = MemoryLayout<Value>.alignment
        idStride = MemoryLayout<Value.ID>.stride
        idKind = IDKind(of: Value.ID.self)
        isMovedByBytes = _isBitwiseTakable(Value.self)
        changeOffset = SlotLayout<Value>.aligned(MemoryLayout<Value.ID>.size, to: entityAlignment)
        // The identifier comes after the facts, at the next multiple of its alignment.
        let bytes = MemoryLayout<SlotChange.Facts>.size + alignment + changeOffset + entityStride + entitySize
        changeWords = (bytes + 7) / 8
        hasBuiltInIDs = BuiltInIDs.contains(Value.ID.self)
        equality = .of(Value.self)
    }

    /// The layout of a type.
    @_semantics("optimize.sil.specialize.generic.never")
    static func of<Value: Cachable>(_ type: Value.Type) -> EntityLayout { LayoutOfType<Value>() }

    /// How identifiers are compared.
    private enum IDKind {
        case string, word, other

        init(of type: Any.Type) {
            self = type == String.self ? .string : type == Int.self ? .word : .other
        }
    }

    /// Whether two identifiers in memory are equal.
    ///
    /// It can run user code unless ``hasBuiltInIDs``.
    final func areEqualIDs(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
        switch idKind {
        case .string:
            lhs.assumingMemoryBound(to: String.self).pointee == rhs.assumingMemoryBound(to: String.self).pointee
        case .word: lhs.load(as: Int.self) == rhs.load(as: Int.self)
        case .other: areEqualOtherIDs(lhs, rhs)
        }
    }

    /// The hashes of identifiers in memory.
    ///
    /// It can run user code.
    @usableFromInline final func hashes(ofIDsIn ids: UnsafeRawBufferPointer) -> [HashedID] {
        guard let first = ids.baseAddress else { return [] }
        return (0..<ids.count / idStride).map { hash(ofIDAt: first + $0 * idStride) }
    }

    private func hash(ofIDAt id: UnsafeRawPointer) -> HashedID {
        switch idKind {
        case .string: HashedID(id.assumingMemoryBound(to: String.self).pointee)
        case .word: HashedID(id.load(as: Int.self))
        case .other: hashOther(ofIDAt: id)
        }
    }

    /// The hash of an identifier in memory, whatever its type is.
    fileprivate func hashOther(ofIDAt id: UnsafeRawPointer) -> HashedID { unknownType() }

    /// Whether two identifiers in memory are equal, whatever their type is.
    fileprivate func areEqualOtherIDs(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool { unknownType() }

    /// Copies an entity to other memory.
    func copy(_ entity: UnsafeRawPointer, to memory: UnsafeMutableRawPointer) { unknownType() }

    /// Moves an entity to other memory.
    @inline(__always) final func move(_ entity: UnsafeMutableRawPointer, to memory: UnsafeMutableRawPointer) {
        // Not more than the size, because what is between the end of an entity and the next one belongs to others.
        if isMovedByBytes {
            memory.copyMemory(from: entity, byteCount: entitySize)
        } else {
            moveOther(entity, to: memory)
        }
    }

    /// Moves an entity that can't be moved by copying its bytes.
    fileprivate func moveOther(_ entity: UnsafeMutableRawPointer, to memory: UnsafeMutableRawPointer) { unknownType() }

    /// Exchanges two entities.
    @inline(__always) fileprivate final func swap(_ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer) {
        if !isMovedByBytes { return swapOthers(first, second) }
        var offset = 0
        while offset &+ 32 <= entitySize {
            swap(SIMD4<UInt64>.self, first + offset, second + offset)
            offset &+= 32
        }
        while offset &+ 8 <= entitySize {
            swap(UInt64.self, first + offset, second + offset)
            offset &+= 8
        }
        while offset < entitySize {
            swap(UInt8.self, first + offset, second + offset)
            offset &+= 1
        }
    }

    /// Exchanges the bytes of numbers.
    @inline(__always) private final func swap<Number: BitwiseCopyable>(
        _: Number.Type,
        _ first: UnsafeMutableRawPointer,
        _ second: UnsafeMutableRawPointer
    ) {
        let number = first.loadUnaligned(as: Number.self)
        first.storeBytes(of: second.loadUnaligned(as: Number.self), as: Number.self)
        second.storeBytes(of: number, as: Number.self)
    }

    /// Exchanges two entities that can't be moved by copying their bytes.
    fileprivate func swapOthers(_ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer) { unknownType() }

    /// Ends the life of an entity in memory.
    func destroy(_ entity: UnsafeMutableRawPointer) { unknownType() }

    /// Copies an identifier to other memory.
    func copyID(_ id: UnsafeRawPointer, to memory: UnsafeMutableRawPointer) { unknownType() }

    /// Moves an identifier out of memory, into an object.
    func boxID(_ id: UnsafeMutableRawPointer) -> AnyObject { unknownType() }

    /// Ends the life of an identifier in memory.
    func destroyID(_ id: UnsafeMutableRawPointer) { unknownType() }

    /// The key of an entity with an identifier in memory.
    func key(_ id: UnsafeRawPointer) -> FlatCacheKey { unknownType() }

    private func unknownType() -> Never { preconditionFailure("Only subclasses have instances.") }
}

private final class LayoutOfType<Value: Cachable>: EntityLayout, @unchecked Sendable {
    init() {
        super.init(Value.self)
    }

    override func copy(_ entity: UnsafeRawPointer, to memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Value.self, to: entity.assumingMemoryBound(to: Value.self).pointee)
    }

    // Not `moveInitialize`, which also copies what is between the end of an entity and the next one in an array.
    override fileprivate func moveOther(_ entity: UnsafeMutableRawPointer, to memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Value.self, to: entity.assumingMemoryBound(to: Value.self).move())
    }

    override fileprivate func swapOthers(_ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer) {
        let entity = first.assumingMemoryBound(to: Value.self).move()
        moveOther(second, to: first)
        second.initializeMemory(as: Value.self, to: entity)
    }

    override func destroy(_ entity: UnsafeMutableRawPointer) {
        entity.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }

    override fileprivate func areEqualOtherIDs(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
        InPlace.areEqual(
            lhs.assumingMemoryBound(to: InPlace<Value.ID>.self).pointee,
            rhs.assumingMemoryBound(to: InPlace<Value.ID>.self).pointee
        )
    }

    override fileprivate func hashOther(ofIDAt id: UnsafeRawPointer) -> HashedID {
        HashedID(id.assumingMemoryBound(to: Value.ID.self).pointee)
    }

    override func copyID(_ id: UnsafeRawPointer, to memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Value.ID.self, to: id.assumingMemoryBound(to: Value.ID.self).pointee)
    }

    override func boxID(_ id: UnsafeMutableRawPointer) -> AnyObject {
        Box(id.assumingMemoryBound(to: Value.ID.self).move())
    }

    override func destroyID(_ id: UnsafeMutableRawPointer) {
        id.assumingMemoryBound(to: Value.ID.self).deinitialize(count: 1)
    }

    override func key(_ id: UnsafeRawPointer) -> FlatCacheKey {
        FlatCacheKey(Value.self, id: id.assumingMemoryBound(to: Value.ID.self).pointee)
    }

    private final class Box {
        let id: Value.ID

        init(_ id: Value.ID) {
            self.id = id
        }
    }
}

extension EntityLayout {
    /// Puts an entity into memory.
    ///
    /// - Returns: Whether there is one.
    func initialize(_ memory: UnsafeMutableRawPointer, from source: EntitySource) -> Bool {
        switch source {
        case .none: return false
        case .copy(let entity): copy(entity, to: memory)
        case .moved(let entity): move(entity, to: memory)
        }
        return true
    }

    /// The address of the identifier of a slot.
    func id(of slot: Slot) -> UnsafeRawPointer { UnsafeRawPointer(slot.header) + idOffset }

    /// The entity of a slot.
    func entity(of slot: Slot) -> EntitySource {
        slot.isStored ? .copy(of: UnsafeRawPointer(slot.header) + entityOffset) : .none
    }

    /// The entity of a locked slot after all commits up to a revision.
    ///
    /// - Parameter snapshot: The revision of an open snapshot.
    func entity(of slot: Slot, at snapshot: UInt64) -> EntitySource {
        if slot.revision <= snapshot { return entity(of: slot) }
        // The slot keeps the version.
        return slot.version(at: snapshot)?.value.map { .copy(of: $0.address) } ?? .none
    }

    /// Puts an entity into a slot.
    ///
    /// - Parameter old: Memory to which the entity of the slot is moved, if there is one. It can be that of the new one.
    @inline(__always) func exchange(_ slot: Slot, with new: EntitySource, old: UnsafeMutableRawPointer) {
        let entity = UnsafeMutableRawPointer(slot.header) + entityOffset
        if slot.isStored, case .moved(old) = new { return swap(entity, old) }
        if slot.isStored { move(entity, to: old) }
        slot.header.pointee.isStored = initialize(entity, from: new)
    }

    /// Moves the entity out of a slot.
    func moveEntity(of slot: Slot, to memory: UnsafeMutableRawPointer) {
        move(UnsafeMutableRawPointer(slot.header) + entityOffset, to: memory)
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

/// Where an entity comes from that is put into other memory.
@usableFromInline
enum EntitySource {
    /// There is no entity.
    case none
    case copy(of: UnsafeRawPointer)
    case moved(from: UnsafeMutableRawPointer)

    /// A box with the entity, or `nil` if there is none.
    func box(_ layout: EntityLayout) -> EntityBox? {
        switch self {
        case .none: nil
        case .copy(let entity): EntityBox(copyOf: entity, layout)
        case .moved(let entity): EntityBox(movedFrom: entity, layout)
        }
    }
}

/// Calls a closure with the memory of an entity.
///
/// - Parameters:
///   - entity: The entity.
///   - body: A closure that returns its result, and whether there is an entity in the memory, which is then released.
@inlinable @inline(__always)
func withMemory<Value: Cachable, Result>(
    of entity: consuming Value,
    _ body: (UnsafeMutableRawPointer) -> (Result, isLeft: Bool)
) -> Result {
    // An optional, from which a closure can move it.
    var entity: Value? = entity
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) {
        // There is memory, because the capacity isn't 0.
        let memory = $0.baseAddress.unsafelyUnwrapped
        memory.initialize(to: entity.take().unsafelyUnwrapped)
        let (result, isLeft) = body(UnsafeMutableRawPointer(memory))
        if isLeft { memory.deinitialize(count: 1) }
        return result
    }
}

/// The entity that a closure moves into memory.
///
/// - Parameter move: A closure that returns whether there is an entity in the memory.
@inlinable @inline(__always)
func entity<Value: Cachable>(of type: Value.Type, movedBy move: (UnsafeMutableRawPointer) -> Bool) -> Value? {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) {
        // There is memory, because the capacity isn't 0.
        let memory = $0.baseAddress.unsafelyUnwrapped
        return move(UnsafeMutableRawPointer(memory)) ? memory.move() : nil
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

extension Optional where Wrapped: Cachable {
    /// Calls a closure with the entity, to be copied.
    func withSource<Result>(_ body: (EntitySource) -> Result) -> Result {
        guard case .some = self else { return body(.none) }
        // The value of an optional begins at the address of the optional.
        return withUnsafePointer(to: self) { body(.copy(of: UnsafeRawPointer($0))) }
    }
}
