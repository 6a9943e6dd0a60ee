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
