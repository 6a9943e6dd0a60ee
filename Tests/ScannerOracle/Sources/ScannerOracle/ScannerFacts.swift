import SwiftParser
import SwiftSyntax

@testable import RelationshipGenerator

/// What the scanner of the generator says of a file.
enum ScannerFacts {
    static func of(_ text: [UInt8]) -> Facts {
        SourceText.with(text) { of($0) }
    }

    private static func of(_ source: SourceText) -> Facts {
        var parser = DeclarationParser(source, path: "") { _, _ in true }
        parser.parse()
        var facts = Facts()
        let attachment = AnnotationAttacher(source, parser.items, insides: parser.insides)
        for comment in parser.lexer.comments {
            let offset = comment.range.lowerBound
            facts.add(.comment, at: offset, "\(comment.style) to \(comment.range.upperBound)")
            let attached = describe(attachment.attachment(of: comment), of: comment, in: parser.file)
            facts.add(.attachment, at: offset, attached)
        }
        // To swift-syntax it is an error of the file.
        if !parser.recovery.isNeedless { facts.add(.braces, at: 0, "don't match") }
        for type in parser.file.types { add(type, to: &facts) }
        for declaration in parser.file.imports {
            facts.add(
                .import,
                at: declaration.location.offset,
                """
                \(declaration.text) of \(declaration.module) access \(describe(declaration.access)) \
                if \(describe(declaration.conditions))
                """
            )
        }
        return facts
    }

    private static func add(_ type: TypeDeclaration, to facts: inout Facts) {
        let pieces = [
            type.kind.rawValue, type.qualifiedName, "<\(type.genericParameters)>",
            "access \(describe(type.access))", "inherits \(type.inheritedTypes.joined(separator: ","))",
            "where \(type.genericWhereClause)", "alias \(type.aliasedType ?? "-")",
            "available \(type.availability.joined(separator: ","))", "id \(type.identifierType ?? "-")",
            "ids of \(type.identifierSources.map { $0 ?? "-" }.joined(separator: ","))",
            type.isLocal ? "local" : "not local", "if \(describe(type.conditions))",
            type.hasDecodingInitializer ? "decodes" : "-",
        ]
        facts.add(.type, at: type.location.offset, pieces.joined(separator: " "))
        for property in type.properties {
            let pieces = [
                property.isVariable ? "var" : "let", "\(type.qualifiedName).\(property.name):",
                property.type ?? "-", property.isLazy ? "lazy" : "not lazy",
                "access \(describe(property.access))", "setter \(describe(property.setterAccess))",
                "available \(property.availability.joined(separator: ","))", "if \(describe(property.conditions))",
                "attributes \(property.attributes.joined(separator: ","))", property.hasInitialValue ? "=" : "-",
            ]
            facts.add(.property, at: property.location.offset, pieces.joined(separator: " "))
        }
        for property in type.jointProperties {
            let description = "\(property.name): \(property.type ?? "-") \(property.hasInitialValue ? "=" : "-")"
            facts.add(.jointProperty, at: property.location.offset, description)
        }
        for key in type.codingKeys {
            facts.add(
                .codingKey,
                at: key.location.offset,
                "\(key.name) = \(key.key ?? "?") if \(describe(key.conditions))"
            )
        }
        for declaration in type.cases {
            let values = declaration.values.map { "\($0.label ?? "-") \($0.type)" }.joined(separator: ";")
            let pieces = [
                "\(type.qualifiedName).\(declaration.name)\(declaration.associatedValues) of \(values)",
                declaration.isIndirect ? "indirect" : "-",
                "available \(declaration.availability.joined(separator: ","))",
                "if \(describe(declaration.conditions))",
            ]
            facts.add(.enumCase, at: declaration.location.offset, pieces.joined(separator: " "))
        }
        for member in type.memberNames {
            facts.add(.member, at: member.location.offset, "\(member.isStatic ? "static " : "")\(member.name)")
        }
    }

    private static func describe(_ access: AccessLevel?) -> String { access?.rawValue ?? "-" }

    private static func describe(_ conditions: [ConditionalBranch]) -> String {
        conditions.map { $0.directives.map(describe(directive:)).joined(separator: ";") }.joined(separator: " & ")
    }

    /// A directive as swift-syntax reads what the generator would write.
    private static func describe(directive: String) -> String {
        let parts = directive.split(separator: " ", maxSplits: 1)
        var parser = Parser(parts.count == 2 ? String(parts[1]) : "")
        return parts[0] + " " + (parts.count == 2 ? ExprSyntax.parse(from: &parser).operatorCode : "")
    }

    private static func describe(
        _ attachment: Annotation.Attachment,
        of comment: Comment,
        in file: ScannedFile
    ) -> String {
        switch attachment {
        case .property(let type, let property):
            return "property \(file.types[type].properties[property].name)"
        case .enumCase(let type, let index): return "enumCase \(file.types[type].cases[index].name)"
        case .nothing(.trailingOther): return "elsewhere"
        case .nothing(let reason): return "\(reason)"
        case .unsuitable(let declaration, let location):
            // What trails can be said to stand on nothing or on something unsuitable; and so can what stands inside.
            guard comment.isFirstOnLine, location.offset >= comment.range.lowerBound else { return "elsewhere" }
            return describe(declaration)
        }
    }

    private static func describe(_ declaration: Annotation.UnsuitableDeclaration) -> String {
        switch declaration {
        case .computedProperty(let name): "computed \(name)"
        case .staticProperty(let name): "static \(name)"
        case .protocolRequirement(let name): "requirement \(name)"
        case .globalVariable(let name): "global \(name)"
        case .severalBindings(let names): "several \(names.joined(separator: ","))"
        case .tuplePattern: "tuple"
        case .enumCase(let name): "case \(name)"
        case .severalCases(let names): "case \(names[0])"
        case .declaration(let keyword, let name): "\(keyword) \(name)"
        // A condition such as `let x = y` on a line of its own looks like a declaration.
        case .statement, .partOfAttribute, .partOfCase, .localVariable: "elsewhere"
        }
    }
}
