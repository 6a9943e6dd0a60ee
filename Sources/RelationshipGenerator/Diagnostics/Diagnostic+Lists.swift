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

/// The errors of delete rules.
extension Diagnostic {
    @_optimize(none)
    static func unknownDeleteRule(_ written: String, _ suggestion: String?, at location: SourceLocation) -> Diagnostic {
        let rules = DeleteRule.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return Diagnostic(
            location,
            "'\(written)' is not a delete rule; "
                + (suggestion.map { "did you mean '\($0)'?" } ?? "the rules are \(rules)")
        )
    }

    static func requiredIdentifier(of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'\(property)' can't be nil; use 'delete: cascade' or make it optional")
    }

    static func identifierOfCase(_ name: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'\(name)' is a case of an enum, which can't lose its identifier; use 'delete: cascade'")
    }

    static func constantIdentifier(of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property)' is a constant, which can't lose an identifier; use 'delete: cascade' or declare it with 'var'"
        )
    }

    static func unsettableIdentifier(
        of property: String,
        _ setter: AccessLevel,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "the generated code can't set '\(property)', so that it can't lose an identifier; "
                + "use 'delete: cascade' or remove '\(setter.rawValue)(set)'"
        )
    }
}

/// The errors of annotations of indexes.
extension Diagnostic {
    /// The error of a text after `cache:` that can't be read.
    static func unreadableIndex(_ error: AnnotationError, at comment: SourceLocation) -> Diagnostic {
        switch error {
        case .unknownIndex("", _, let location):
            Diagnostic(location, "a word is missing after 'cache:'; write '// cache: index'")
        case .unknownIndex(AnnotationParser.unique, _, let location):
            Diagnostic(location, "'unique' is a key of an index; write '// cache: index, unique'")
        case .unknownIndex(let written, let suggestion?, let location):
            Diagnostic(location, "'\(written)' is not an annotation; did you mean '\(suggestion)'?")
        case .unknownIndex(let written, nil, let location):
            Diagnostic(
                location,
                "'\(written)' is not an annotation; write '// cache: index', or begin prose with another word than 'cache:'"
            )
        case .unknownIndexKey(let written, let suggestion, let location):
            Diagnostic(
                location,
                "'\(written)' is not a key of an index; "
                    + (suggestion.map { "did you mean '\($0)'?" } ?? "the only key is 'unique'")
            )
        case .valueOfUnique(let location):
            Diagnostic(location, "'unique' has no value; write '// cache: index, unique'")
        default: unreadable(error, .cache, at: comment)
        }
    }

    static func indexOutsideOfStruct(_ owner: TypeDeclaration, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(owner.name)' is \(owner.kind.withArticle), and only structs can have indexes; declare it as a struct"
        )
    }

    /// The error of a type that declares a list which the generated code declares: `indexes` or `deleteRules`.
    static func listDeclared(_ name: String, by owner: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(owner)' already has a member '\(name)', but the generated code declares one of this name; "
                + "remove it, and annotate each property"
        )
    }

    static func untypedIndex(of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "the type of '\(property)' is not written; write it, as in '\(property): Int'")
    }

    /// The error of a property whose values can't be the keys of an index.
    static func notHashable(_ property: PropertyDeclaration, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property.name)' has the type '\(property.type ?? "")', which is not 'Hashable'; remove the annotation"
        )
    }

    static func indexOfCollections(
        _ words: String,
        in property: PropertyDeclaration,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property.name)' has the type '\(property.type ?? "")', \(words), which has no index; "
                + "an index is of a single value, or of the elements of an array or set"
        )
    }

    static func uniqueElements(of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'\(property)' has several values, which can't be unique; remove ', unique'")
    }
}
