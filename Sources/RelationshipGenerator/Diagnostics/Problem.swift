/// Why an annotation can't be followed, before it is known in which file.
struct Problem: Error {
    let location: SourceLocation
    let message: String

    init(_ location: SourceLocation, _ message: String) {
        self.location = location
        self.message = message
    }
}

extension Problem {
    /// Why a comment can't be read as an annotation.
    init(_ error: AnnotationError, at comment: SourceLocation) {
        switch error {
        case .wrongCase(let written):
            self.init(comment, "'\(written)' looks like an annotation; write 'relationship:' in lower case")
        case .nearMiss(let written, nil):
            self.init(comment, "'\(written)' looks like an annotation; did you mean 'relationship:'?")
        case .nearMiss(let written, let type?):
            self.init(comment, "'\(written)' looks like an annotation; write '// relationship: \(type)'")
        case .lookAlike(let written):
            self.init(
                comment,
                "'\(written)' has letters of another alphabet that look like those of 'relationship:'; type it anew"
            )
        case .invisible(let scalar, let location):
            let code = String(scalar.value, radix: 16, uppercase: true)
            let number = String(repeating: "0", count: max(0, 4 - code.count)) + code
            self.init(
                location,
                "this annotation has the character U+\(number), which can't be told from a space or from nothing; "
                    + "write it with ordinary spaces"
            )
        case .missingTarget(let location):
            self.init(location, "the related type is missing; write '// relationship: Type'")
        case .invalidTarget(let written, let phrase):
            self.init(
                phrase.location,
                "'\(written)' is not the name of a type; write the type of one entity, as in '// relationship: Author'"
            )
        case .unknownKey(let written, let suggestion, let location):
            let known = AnnotationParser.keys.map { "'\($0)'" }.joined(separator: ", ")
            self.init(
                location,
                "'\(written)' is not a key of an annotation"
                    + (suggestion.map { "; did you mean '\($0)'?" } ?? "; the keys are \(known)")
            )
        case .missingComma(let key, let location):
            self.init(location, "a comma is missing before '\(key)'; write ', \(key)'")
        case .missingKey(let location):
            self.init(location, "nothing follows this comma; remove it, or write a key behind it")
        case .missingValue(let key, let location):
            self.init(location, "the value of '\(key)' is missing; write '\(key): …'")
        case .unneededThrowing(let location):
            self.init(location, "'throwing' is not needed: 'require(\\.name)' throws for every relationship; remove it")
        case .invalidValue("inverse", let written, let location):
            self.init(
                location,
                "'\(written)' is not a name; 'inverse:' needs that of a property of the related type, without the type"
            )
        case .invalidValue(let key, let written, let location):
            self.init(location, "'\(written)' is not a name; '\(key):' needs a Swift identifier")
        case .duplicateKey(let key, let location):
            self.init(location, "'\(key)' is there twice; write it once")
        case .unexpectedText(let written, let location), .unexpectedWord(let written, let location, _):
            self.init(location, "'\(written)' is not understood; write prose behind ' - ', and keys as ', name: …'")
        }
    }

    /// Why an annotation stands on nothing.
    init(_ reason: NothingReason, at comment: SourceLocation) {
        let found =
            switch reason {
            case .blankLine: "a blank line follows"
            case .endOfScope: "nothing follows in this scope"
            case .endOfFile: "nothing follows"
            case .trailingOther: "no property is declared on this line"
            }
        self.init(
            comment,
            "this annotation stands on nothing: \(found); write it directly above a stored property, or behind it"
        )
    }

    /// Why an annotation can't stand on a declaration.
    init(_ declaration: UnsuitableDeclaration, at comment: SourceLocation) {
        let found =
            switch declaration {
            case .computedProperty(let name): "'\(name)' is computed"
            case .staticProperty(let name): "'\(name)' is static"
            case .localVariable(let name): "'\(name)' is a local variable"
            case .protocolRequirement(let name): "'\(name)' is a requirement of a protocol"
            case .globalVariable(let name): "'\(name)' is a global variable"
            case .severalBindings(let names):
                "this declares several properties (\(names.map { "'\($0)'" }.joined(separator: ", "))); "
                    + "give each a declaration of its own"
            case .tuplePattern: "this declares properties by a tuple pattern; give each a declaration of its own"
            case .enumCase(let name): "'\(name)' is a case of an enum"
            case .declaration(let keyword, let name):
                name.isEmpty ? "'\(keyword)' follows" : "'\(keyword) \(name)' follows"
            case .partOfAttribute: "the rest of an attribute or a modifier follows"
            case .statement: "a statement follows"
            }
        self.init(comment, "an annotation must stand on a stored property of a struct, but \(found)")
    }
}

extension TypeDeclaration.Kind {
    /// The kind with the article that goes with it: `an enum`.
    var withArticle: String {
        switch self {
        case .enum, .actor, .extension: "an \(rawValue)"
        default: "a \(rawValue)"
        }
    }
}
