/// The errors of the related type and the inverse.
extension Diagnostic {
    static func genericParameter(_ name: String, of type: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(name)' is a generic parameter of '\(type)' here; write the type of one entity, "
                + "or a type alias for it if it has this name"
        )
    }

    static func protocolType(_ name: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'\(name)' is a protocol; write the type of one entity")
    }

    static func genericType(_ name: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(name)' is generic; declare a type alias for it with its arguments, and write the alias in the annotation"
        )
    }

    static func genericArguments(of written: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(written)' has generic arguments; declare a type alias for it, and write the alias in the annotation"
        )
    }

    static func notCachable(_ type: TypeDeclaration, in place: String, at location: SourceLocation) -> Diagnostic {
        // A class can't conform.
        let kind = type.kind == .class ? .struct : type.kind
        return Diagnostic(
            location,
            "'\(type.qualifiedName)' (\(place)) does not conform to 'Cachable', so that no cache can store it; "
                + "write '\(kind.rawValue) \(type.name): Cachable'"
        )
    }

    static func conditionallyCachable(
        _ type: TypeDeclaration,
        where condition: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(type.qualifiedName)' conforms to 'Cachable' only where '\(condition)', which accessors can't repeat; "
                + "write the condition on '\(type.kind.rawValue) \(type.name)' itself"
        )
    }

    static func notOnlyType(_ written: String, remove others: [String], at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(written)' is not the name of a type; remove \(others.map { "'\($0)'" }.joined(separator: " and "))"
        )
    }

    static func memberOfEntity(_ name: String, remove member: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'\(name)' is not the name of an entity; remove '\(member)'")
    }

    /// The error of a type alias whose type could belong to several modules.
    static func aliasWithoutModule(
        _ name: String,
        in file: String,
        _ candidates: [String],
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(name)' is a type alias in '\(file)' that does not name the module of its type; "
                + "write \(choice(of: candidates.map { "\($0).…" })) there"
        )
    }

    /// The error of a name that is no type of the target.
    ///
    /// - Parameters:
    ///   - near: The types that the name most likely means.
    ///   - modules: The modules that may declare the type.
    static func unknownType(
        _ name: String,
        near: [String],
        modules: [String],
        at location: SourceLocation
    ) -> Diagnostic {
        let choices = near + modules.prefix(3).map { "\($0).\(name)" }
        let advice =
            if !near.isEmpty {
                "did you mean \(choice(of: choices))?"
            } else if !choices.isEmpty {
                "qualify a type of an imported module with the module, as in \(choice(of: choices))"
            } else if QualifiedName.components(of: name).count > 1 {
                "write its module or enclosing types as they are declared"
            } else {
                "qualify a type of another module with the module, as in 'Module.\(name)', and import the module"
            }
        return Diagnostic(location, "'\(name)' is not a type of this target; \(advice)")
    }

    static func moduleImportedElsewhere(_ module: String, in file: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(module)' is imported in '\(file)', but not in this file; write 'import \(module)' here, too"
        )
    }

    static func misspelledModule(_ module: String, didYouMean name: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "this file does not import a module '\(module)'; did you mean '\(name)'?")
    }

    static func unknownModule(_ module: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(module)' is neither a type of this target nor a module that this file imports; write 'import \(module)'"
        )
    }

    // MARK: Inverses

    static func inverseTaken(_ path: String, by earlier: Relationship, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(path)' is already the inverse of '\(earlier.owner).\(earlier.property.name)' (\(earlier.origin)); "
                + "remove one 'inverse:'"
        )
    }

    static func inverseInOtherModule(
        _ relationship: Relationship,
        _ name: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(relationship.target)' belongs to another module, so that it can't refer back to '\(relationship.owner)'; "
                + "remove 'inverse: \(name)'"
        )
    }

    static func inverseLeadsElsewhere(
        _ other: Relationship,
        notTo owner: String,
        _ suggestion: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(other.owner).\(other.property.name)' (\(other.origin)) leads to '\(other.target)', not back to '\(owner)'"
                + suggestion
        )
    }

    static func inversesDiffer(
        _ other: Relationship,
        names back: String,
        not property: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(other.owner).\(other.property.name)' (\(other.origin)) names '\(back)' as its inverse, not '\(property)'; "
                + "change one of the two"
        )
    }

    static func inverseWithoutRelationship(
        _ path: String,
        in place: String,
        _ suggestion: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(location, "'\(path)' (\(place)) has no relationship" + suggestion)
    }

    static func unknownInverse(
        _ name: String,
        in type: String,
        _ suggestion: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(location, "'\(type)' has no property '\(name)'" + suggestion)
    }

    /// `'a', 'b' or 'c'`.
    static func choice(of names: [String]) -> String {
        let names = names.map { "'\($0)'" }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

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
