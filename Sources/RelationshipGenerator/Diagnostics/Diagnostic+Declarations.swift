/// The errors of the annotated property and its type.
extension Diagnostic {
    static func secondAnnotation(
        of property: String,
        _ keyword: AnnotationKeyword,
        at location: SourceLocation
    ) -> Diagnostic {
        let held = keyword == .cache ? "an index" : "a relationship"
        return Diagnostic(location, "'\(property)' already has \(held); remove one of the annotations")
    }

    static func localOwner(_ owner: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(owner)' is declared inside a function, where it can't be extended; declare it outside of the function"
        )
    }

    static func notStruct(_ owner: TypeDeclaration, at location: SourceLocation) -> Diagnostic {
        let problem = "'\(owner.name)' is \(owner.kind.withArticle), and only structs and enums can have relationships"
        return Diagnostic(location, "\(problem); declare it as a struct")
    }

    /// The error of a type that is more accessible than the type that contains it.
    static func tooAccessible(
        _ owner: String,
        _ written: AccessLevel,
        in enclosing: AccessLevel,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(owner)' is \(written.rawValue), but the extended type is \(enclosing.rawValue); "
                + "make '\(owner)' \(enclosing.rawValue), too"
        )
    }

    static func lazyProperty(_ property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property)' is 'lazy', so that reading it changes the value, which accessors can't do; remove 'lazy'"
        )
    }

    /// The error of a declaration that is not visible in another file.
    static func inaccessible(_ name: String, _ access: AccessLevel, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(name)' is \(access.rawValue), but the generated accessors are in another file; make it at least internal"
        )
    }

    static func missingType(of property: String, _ target: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "the type of '\(property)' is not written; write it, as in '\(property): \(target).ID'")
    }

    /// The error of a target that declares a type with the name of a standard collection.
    static func ambiguousCollection(_ type: String, of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(type)' is also a type of this target; write 'Swift.\(type)<…>' in the type of '\(property)'"
        )
    }

    static func noIdentifiers(in property: PropertyDeclaration, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property.name)' has the type '\(property.type ?? "")'; "
                + "declare it as an identifier, or as an array, set or dictionary of identifiers"
        )
    }

    /// The error of identifiers that can't identify the related type.
    static func otherIdentifier(
        _ identifier: String,
        of property: String,
        _ target: String,
        identifiedBy wanted: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property)' holds identifiers of type '\(identifier)', but '\(target)' is identified by '\(wanted)'; "
                + "write '\(target).ID'"
        )
    }

    /// The error of a property that stores entities.
    ///
    /// - Parameter name: The name for the accessor, if it has to be written.
    static func storedEntities(
        in property: String,
        areSeveral: Bool,
        declare declaration: String,
        _ target: String,
        name: String?,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property)' holds \(areSeveral ? "entities, not their identifiers" : "an entity, not its identifier"); "
                + "declare '\(declaration)'"
                + (name.map { ", and write '// relationship: \(target), name: \($0)'" } ?? "")
        )
    }
}

extension TypeDeclaration.Kind {
    /// The kind with its article: `an enum`.
    var withArticle: String {
        switch self {
        case .enum, .actor, .extension: "an \(rawValue)"
        default: "a \(rawValue)"
        }
    }
}

/// The errors of cases, and of collections in collections.
extension Diagnostic {
    // MARK: Cases

    static func severalValues(
        _ count: Int,
        in name: String,
        _ target: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "the case '\(name)' has \(count) associated values; declare it with one, as in '\(name)(\(target).ID)'"
        )
    }

    static func labelledValue(
        _ label: String,
        of name: String,
        _ type: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "the associated value of '\(name)' has the label '\(label)'; remove it, as in '\(name)(\(type))'"
        )
    }

    static func indirectCase(_ name: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "the case '\(name)' is 'indirect', which identifiers don't need; remove 'indirect'")
    }

    static func noncopyableEnum(_ owner: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(owner)' is noncopyable, so that accessors can't read its cases; remove '~Copyable'"
        )
    }

    static func optionalCase(_ name: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "the associated value of '\(name)' is optional, so that its accessor could not tell 'nil' from another case; "
                + "remove the '?', and declare a case without associated value for 'nil'"
        )
    }

    // MARK: Collections

    /// The error of collections that accessors don't support.
    ///
    /// - Parameters:
    ///   - words: The collections in words: `a dictionary of arrays`.
    ///   - remedy: The type to write instead.
    static func unsupportedCollections(
        _ words: String,
        in property: PropertyDeclaration,
        declare remedy: String,
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "'\(property.name)' has the type '\(property.type ?? "")', \(words), which accessors don't support; "
                + "declare '\(property.declaration(property.name, remedy))'"
        )
    }

    static func aliasOfDictionary(_ alias: String, of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(alias)' is a type alias of a dictionary; write the dictionary itself as the type of '\(property)'"
        )
    }

    /// The error of a type of keys that has no name of its own.
    static func unnamedKey(_ key: String, of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "the keys of '\(property)' have the type '\(key)', which is not a name; "
                + "declare a type alias for it, and write the alias as the type of the keys"
        )
    }

    static func hiddenKey(_ key: String, of property: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "the keys of '\(property)' need '\(key)', which the accessors in another file can't refer to; "
                + "make it at least internal"
        )
    }

    static func keyWithoutModule(
        _ key: String,
        of property: String,
        _ candidates: [String],
        at location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            location,
            "the keys of '\(property)' have the type '\(key)' of an unknown module; "
                + "write \(choice(of: candidates.map { "\($0).\(key)" })) in its type"
        )
    }
}
