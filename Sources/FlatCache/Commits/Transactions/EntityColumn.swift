/// Entities at consecutive places, of which some are missing, for code that doesn't know their type.
@usableFromInline
final class EntityColumn {
    private let layout: EntityLayout
    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var capacity = 0
    /// Whether there is an entity, by place.
    @exclusivity(unchecked) private var isThere: ContiguousArray<Bool> = []

    init(_ layout: EntityLayout, count: Int = 0) {
        self.layout = layout
        if count == 0 { return }
        reserve(count)
        isThere = ContiguousArray(repeating: false, count: count)
    }

    deinit {
        for place in isThere.indices where isThere[place] { layout.destroy(address(place)) }
        memory?.deallocate()
    }

    /// Whether no place can be added without moving the entities.
    var isFull: Bool { isThere.count == capacity }

    /// Makes room for a number of places.
    func reserve(_ capacity: Int) {
        if capacity <= self.capacity { return }
        let larger = UnsafeMutableRawPointer.allocate(
            byteCount: capacity * layout.entityStride,
            alignment: layout.entityAlignment
        )
        for place in isThere.indices where isThere[place] {
            layout.move(address(place), to: larger + place * layout.entityStride)
        }
        memory?.deallocate()
        memory = larger
        self.capacity = capacity
        isThere.reserveCapacity(capacity)
    }

    /// Adds a place without an entity, for which there is room.
    func append() { isThere.append(false) }

    /// Whether there is an entity.
    @usableFromInline subscript(place: Int) -> Bool { isThere[place] }

    /// The memory of the entity of a place.
    @usableFromInline func address(_ place: Int) -> UnsafeMutableRawPointer {
        // It has room for all places.
        memory.unsafelyUnwrapped + place * layout.entityStride
    }

    /// The entity of a place, to be copied.
    func copy(_ place: Int) -> EntitySource { isThere[place] ? .copy(of: address(place)) : .none }

    /// The entity of a place, which the caller moves out of it.
    func moved(_ place: Int) -> EntitySource {
        if !isThere[place] { return .none }
        isThere[place] = false
        return .moved(from: address(place))
    }

    /// Takes the entity of a place.
    func take(_ place: Int) -> EntityBox? { moved(place).box(layout) }

    /// A copy of the entity of a place.
    func box(_ place: Int) -> EntityBox? { copy(place).box(layout) }

    /// Puts an entity at a place that has none.
    func set(_ place: Int, _ entity: EntitySource) {
        isThere[place] = layout.initialize(address(place), from: entity)
    }

    /// Notes whether code that knows the type has put an entity at a place, or taken it.
    @usableFromInline func note(_ place: Int, isThere: Bool) { self.isThere[place] = isThere }
}

/// Entities that a commit has replaced, and what else it doesn't need any more, to be released after unlocking.
///
/// The memory is allocated before locking.
@usableFromInline
final class ReleasedEntities: @unchecked Sendable {  // Used by the thread that commits.
    let layout: EntityLayout
    private let memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var count = 0
    /// The identifiers of dropped slots, and other objects.
    @exclusivity(unchecked) private var others: [Any] = []

    init(_ layout: EntityLayout, capacity: Int) {
        self.layout = layout
        memory = .allocate(byteCount: capacity * layout.entityStride, alignment: layout.entityAlignment)
    }

    deinit {
        for place in 0..<count { layout.destroy(memory + place * layout.entityStride) }
        memory.deallocate()
    }

    /// The memory for the next entity.
    var next: UnsafeMutableRawPointer { memory + count * layout.entityStride }

    /// Notes that the next entity is in its memory.
    func add() { count += 1 }

    /// Keeps something else.
    @usableFromInline func keep(_ other: Any) { others.append(other) }
}
