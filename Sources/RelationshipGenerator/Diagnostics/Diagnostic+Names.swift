/// The errors of names that an annotation generates.
extension Diagnostic {
    /// The error of a plural with the type of one identifier.
    static func pluralOfOne(
        _ property: PropertyDeclaration,
        _ type: String,
        at location: SourceLocation
    ) -> Diagnostic {
        let name = property.name
        let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
        return Diagnostic(
            location,
            "'\(name)' is named like several identifiers, but its type '\(type)' is that of one; "
                + "write '\(property.declaration(singular, type))' or '\(property.declaration(name, "[\(type)]"))'"
        )
    }

    /// The error of a singular with the type of several identifiers.
    static func singularOfSeveral(
        _ property: PropertyDeclaration,
        _ type: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property.name)' is named like one identifier, but its type '\(type)' is that of several; "
                + "write '\(property.declaration("\(property.name)s", type))'"
        )
    }

    /// The error of a name that the annotation has to give.
    private static func name(_ reason: String, _ target: String, _ location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "\(reason); write '// relationship: \(target), name: …'")
    }

    static func noSuffix(_ property: String, _ target: String, at location: SourceLocation) -> Diagnostic {
        name(
            "no accessor name can be derived from '\(property)', which does not end in the word 'ID' or 'IDs'",
            target,
            location
        )
    }

    static func noPlural(_ reason: String, _ target: String, at location: SourceLocation) -> Diagnostic {
        name(reason, target, location)
    }

    static func unusableName(_ name: String, _ target: String, at location: SourceLocation) -> Diagnostic {
        self.name("'\(name)' can't be the name of an accessor", target, location)
    }

    /// The error of an accessor with the name of the library, which the accessors use.
    static func nameOfLibrary(_ name: String, _ target: String, at location: SourceLocation) -> Diagnostic {
        self.name("accessors refer to '\(name)', so that none can have this name", target, location)
    }

    static func existingMember(_ member: String, of relationship: Relationship) -> Diagnostic {
        name("'\(relationship.owner)' already has a member '\(member)'", relationship)
    }

    static func generatedMember(_ member: String, by earlier: Relationship, of relationship: Relationship) -> Diagnostic
    {
        name("the relationship of '\(earlier.property.name)' already generates a member '\(member)'", relationship)
    }

    static func memberOfHandles(_ member: String, of relationship: Relationship) -> Diagnostic {
        name("every handle already has a member '\(member)'", relationship)
    }

    static func memberOfExtendedHandles(_ member: String, of relationship: Relationship) -> Diagnostic {
        name("handles of '\(relationship.owner)' already have a member '\(member)'", relationship)
    }

    private static func name(_ reason: String, _ relationship: Relationship) -> Diagnostic {
        name(reason, relationship.target, relationship.location)
    }

    /// The note on a property that handles have a member of the same name.
    static func shadowedByHandle(_ member: MemberName) -> Diagnostic {
        Diagnostic(
            member.location,
            "every handle has a member '\(member.name)', so that 'handle.\(member.name)' does not read this property; "
                + "write 'handle[\\.\(member.name)]'",
            level: .note
        )
    }

    static func memberNamedRelationships(
        _ member: String,
        of owner: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(owner)' already has a member '\(member)', but the generated code declares one of this name; "
                + "rename that member"
        )
    }

    static func typeNamedRelationships(
        of property: PropertyDeclaration,
        of owner: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property.name)' has the type '\(property.type ?? "")', but inside '\(owner)' this name refers "
                + "to a generated type; write 'Module.Relationships'"
        )
    }

    static func shadowedType(_ type: String, module: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "accessors can't refer to '\(type)', because another type has its name and another one the name of its module, "
                + "'\(module)'; rename one of the types"
        )
    }

    /// The error of a type that shadows a module.
    ///
    /// - Parameter place: The file and line of the type, if it is known.
    static func shadowedModule(_ module: String, by place: String?, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "accessors refer to '\(module)', but another type has this name here\(place.map { " (\($0))" } ?? ""); "
                + "rename that type"
        )
    }

    static func moduleShadowedByMember(_ module: String, of owner: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "accessors refer to '\(module)', but a member of '\(owner)' has this name; rename that member"
        )
    }

    static func replacesMember(_ member: MemberName, of type: String) -> Diagnostic {
        Diagnostic(
            member.location,
            "accessors would use this '\(member.name)' instead of the library's member of '\(type)'; rename it"
        )
    }

    static func reservedMember(_ member: MemberName, of type: String) -> Diagnostic {
        Diagnostic(
            member.location,
            "names in '\(type)' that begin with '_' are reserved for accessors; rename '\(member.name)'"
        )
    }
}
