/// An entity that a commit has replaced while it was part of an open snapshot.
///
/// The lock of the slot's shard guards it.
@usableFromInline
final class Version {
    /// The entity that readers saw, or `nil` if it was only confirmed.
    let value: EntityBox?
    /// The confirmed entity and the layers, or `nil` if there were no layers.
    let layered: LayeredState?
    /// The place of the entity in the order of insertion.
    let ordinal: UInt64
    /// The revision of the commit that stored the entity.
    let from: UInt64
    /// The revision of the commit that replaced it.
    let until: UInt64
    /// The slot, which the version pins.
    let slot: Slot
    /// The version before this one.
    fileprivate(set) var older: Version?

    fileprivate init(_ value: EntityBox?, of slot: Slot, from: UInt64, until: UInt64) {
        self.value = value
        self.slot = slot
        layered = slot.layeredState
        ordinal = slot.ordinal
        self.from = from
        self.until = until
    }
}

/// The state that few shards have: versions that are kept for snapshots, objects that must outlive a walk over the
/// slots, tracked reads of missing entities, and the limit of the type.
///
/// Versions are grouped by the newest snapshot that has them. When it is closed, each version is moved to the next
/// older snapshot that has it, or dropped. So the end of a snapshot costs time for the entities that were replaced
/// during its life, independent of older snapshots.
///
/// The lock of the shard guards it.
@usableFromInline
final class KeptVersions {
    /// The versions by the newest snapshot that may have them, in ascending order.
    private var groups: [Group] = []
    /// The number of walks over the slots of the shard.
    var walks = 0
    /// The slots that were dropped during walks over them.
    var dropped: [Slot] = []
    /// The tracked reads of missing entities.
    var missingReads = MissingReads()
    var hasMissingReads: Bool { !missingReads.isEmpty }
    /// The limit of the type, or `nil` if there is none.
    @exclusivity(unchecked) var limit: EntityLimit?

    private struct Group {
        let limit: UInt64
        var versions: [Version]
    }

    var isEmpty: Bool { groups.isEmpty && walks == 0 && missingReads.isEmpty && limit == nil }

    var holdsVersions: Bool { !groups.isEmpty }

    /// Keeps an entity that is being replaced.
    ///
    /// - Parameter limit: The newest snapshot that may have it.
    func keep(_ value: EntityBox?, of slot: Slot, from: UInt64, until: UInt64, limit: UInt64) {
        let version = Version(value, of: slot, from: from, until: until)
        let extras = slot.makeExtras()
        version.older = extras.versions
        extras.versions = version
        slot.pins += 1
        add(version, limit)
    }

    private func add(_ version: Version, _ limit: UInt64) {
        var place = groups.count
        while place > 0, groups[place - 1].limit > limit { place -= 1 }
        if place > 0, groups[place - 1].limit == limit {
            groups[place - 1].versions.append(version)
        } else {
            groups.insert(Group(limit: limit, versions: [version]), at: place)
        }
    }

    /// Removes some of the versions that were only part of a closed snapshot.
    ///
    /// - Parameters:
    ///   - range: The next older and the next newer snapshot that are open.
    ///   - count: The number of versions to visit.
    /// - Returns: The versions, whose slots are still pinned, and whether there may be more.
    func prune(_ range: ClosedSnapshot, atMost count: Int) -> (unneeded: [Version], areMore: Bool) {
        var unneeded: [Version] = []
        for _ in 0..<count {
            guard let place = groups.lastIndex(where: { range.covers($0.limit) }) else { return (unneeded, false) }
            let version = groups[place].versions.removeLast()
            if groups[place].versions.isEmpty { groups.remove(at: place) }
            if let older = range.older, version.from <= older {
                add(version, older)
            } else {
                unlink(version)
                unneeded.append(version)
            }
        }
        return (unneeded, true)
    }

    private func unlink(_ version: Version) {
        guard let extras = version.slot.extras else { return }
        if extras.versions === version {
            extras.versions = version.older
        } else {
            var newer = extras.versions
            while let next = newer?.older, next !== version { newer = next }
            newer?.older = version.older
        }
        version.older = nil
        version.slot.dropEmptyExtras()
    }
}

/// A snapshot that was closed, between the open ones next to it.
struct ClosedSnapshot {
    /// The newest open snapshot that is older.
    let older: UInt64?
    /// The oldest open snapshot that is newer.
    let newer: UInt64?

    /// Whether the closed snapshot is the newest one that may have had the versions of a limit.
    func covers(_ limit: UInt64) -> Bool { limit > older ?? 0 && limit < newer ?? .max }
}
