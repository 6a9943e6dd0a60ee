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
