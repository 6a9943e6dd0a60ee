// The changes that keep the inverse of a relationship, one identifier at a time.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToOne {
    public static func _adding(_ id: Related.ID, to identifier: Related.ID?) -> Related.ID? { id }

    public static func _removing(_ id: Related.ID, from identifier: Related.ID) -> Related.ID? { nil }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToOptional {
    public static func _adding(_ id: Related.ID, to identifier: Related.ID??) -> Related.ID?? { .some(id) }

    public static func _removing(_ id: Related.ID, from identifier: Related.ID?) -> Related.ID?? { .some(nil) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToMany {
    public static func _adding(_ id: Related.ID, to ids: [Related.ID]?) -> [Related.ID]? { (ids ?? []) + [id] }

    public static func _removing(_ id: Related.ID, from ids: [Related.ID]) -> [Related.ID]? { ids.filter { $0 != id } }
}

// Only an app knows the row or the key of a new identifier.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToNested {
    public static func _adding(_ id: Related.ID, to rows: [[Related.ID]]?) -> [[Related.ID]]? { nil }

    public static func _removing(_ id: Related.ID, from rows: [[Related.ID]]) -> [[Related.ID]]? {
        rows.map { $0.filter { $0 != id } }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.ToKeyed {
    public static func _adding(_ id: Related.ID, to ids: [Key: Related.ID]?) -> [Key: Related.ID]? { nil }

    public static func _removing(_ id: Related.ID, from ids: [Key: Related.ID]) -> [Key: Related.ID]? {
        ids.filter { $0.value != id }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.OptionalKind {
    public static func _adding(_ id: Related.ID, to ids: Kind.Identifiers??) -> Kind.Identifiers?? {
        Kind._adding(id, to: ids ?? nil).map { .some($0) }
    }

    public static func _removing(_ id: Related.ID, from ids: Kind.Identifiers?) -> Kind.Identifiers?? {
        ids.flatMap { Kind._removing(id, from: $0) }.map { .some($0) }
    }
}
