// The replacement of identifiers by others, where all properties that name them follow.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToOne {
    public static func _renamed(_ id: Related.ID, _ rename: (Related.ID) -> Related.ID?) -> Related.ID? { rename(id) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToOptional {
    public static func _renamed(_ id: Related.ID?, _ rename: (Related.ID) -> Related.ID?) -> Related.ID?? {
        id.flatMap(rename).map { .some($0) }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToMany {
    public static func _renamed(_ ids: [Related.ID], _ rename: (Related.ID) -> Related.ID?) -> [Related.ID]? {
        let renamed = ids.map { (id: $0, other: rename($0)) }
        guard renamed.contains(where: { $0.other != nil }) else { return nil }
        var known = Set(ids)
        return renamed.compactMap { id, other in
            guard let other else { return id }
            return known.insert(other).inserted ? other : nil
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToNested {
    public static func _renamed(_ rows: [[Related.ID]], _ rename: (Related.ID) -> Related.ID?) -> [[Related.ID]]? {
        let renamed = rows.map { FlatCache.ToMany<Related>._renamed($0, rename) }
        guard renamed.contains(where: { $0 != nil }) else { return nil }
        return zip(rows, renamed).map { $1 ?? $0 }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToKeyed {
    public static func _renamed(
        _ ids: [Key: Related.ID],
        _ rename: (Related.ID) -> Related.ID?
    ) -> [Key: Related.ID]? {
        var isChanged = false
        let renamed = ids.mapValues { id in
            guard let other = rename(id) else { return id }
            isChanged = true
            return other
        }
        return isChanged ? renamed : nil
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.OptionalKind {
    public static func _renamed(
        _ ids: Kind.Identifiers?,
        _ rename: (Related.ID) -> Related.ID?
    ) -> Kind.Identifiers?? {
        ids.flatMap { Kind._renamed($0, rename) }.map { .some($0) }
    }
}
