/// The errors of backlinks.
extension Diagnostic {
    static func sortedWithoutBacklink(at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'sorted:' orders a backlink; write 'backlink: …', too, or remove it")
    }

    static func backlinkWithInverse(at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "a relationship has either an inverse, which is stored, or a backlink; remove 'inverse:' or 'backlink:'"
        )
    }

    static func backlinkInOtherModule(_ name: String, _ type: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(type)' belongs to another module, whose types can't have generated accessors; remove 'backlink: \(name)'"
        )
    }

    /// The error of a property that can't have a backlink.
    ///
    /// - Parameter words: The kind of the property: `an array of arrays`.
    static func unsupportedBacklink(
        _ name: String,
        _ words: String,
        of property: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(location, "'\(property)' is \(words), which can't have a backlink; remove 'backlink: \(name)'")
    }

    static func genericBacklink(_ name: String, _ type: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(type)' is generic, so that a backlink has no single type; remove 'backlink: \(name)'"
        )
    }

    static func unusableBacklink(_ name: String, at location: SourceLocation) -> Diagnostic {
        otherName("'\(name)' can't be the name of an accessor", location)
    }

    static func backlinkNamedLikeLibrary(_ name: String, at location: SourceLocation) -> Diagnostic {
        otherName("accessors refer to '\(name)', so that none can have this name", location)
    }

    static func existingMember(_ member: String, of backlink: Backlink) -> Diagnostic {
        otherName("'\(backlink.owner)' already has a member '\(member)'", backlink.location)
    }

    static func generatedMember(_ member: String, by earlier: Relationship, of backlink: Backlink) -> Diagnostic {
        otherName(
            "the relationship of '\(earlier.owner).\(earlier.property.name)' already generates a member '\(member)'",
            backlink.location
        )
    }

    static func generatedMember(_ member: String, by earlier: Backlink, of backlink: Backlink) -> Diagnostic {
        let relationship = earlier.relationship
        return otherName(
            "the backlink of '\(relationship.owner).\(relationship.property.name)' (\(relationship.origin)) "
                + "already generates a member '\(member)'",
            backlink.location
        )
    }

    static func memberOfHandles(_ backlink: Backlink) -> Diagnostic {
        otherName("every handle already has a member '\(backlink.name)'", backlink.location)
    }

    static func memberOfExtendedHandles(_ backlink: Backlink) -> Diagnostic {
        otherName("handles of '\(backlink.owner)' already have a member '\(backlink.name)'", backlink.location)
    }

    private static func otherName(_ reason: String, _ location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "\(reason); write another name after 'backlink:'")
    }

    /// The error of an order by something that isn't a stored property.
    ///
    /// - Parameters:
    ///   - near: The properties that the name most likely means.
    static func unknownSortKey(
        _ name: String,
        in type: String,
        near: String?,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(type)' has no stored property '\(name)'"
                + (near.map { "; did you mean '\($0)'?" } ?? "; write the name of one after 'sorted:'")
        )
    }

    static func conditionalSortKey(
        _ name: String,
        _ condition: ConditionalBranch,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(name)' is compiled only under '\(condition.directives.last ?? "")', but the annotated property without it; "
                + "write a property after 'sorted:' that is always there"
        )
    }

    static func unorderedSortKey(_ property: PropertyDeclaration, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property.name)' has the type '\(property.type ?? "")', whose values have no order; "
                + "write a property with a 'Comparable' type after 'sorted:'"
        )
    }
}
