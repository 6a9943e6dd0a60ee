import SwiftSyntax

extension SyntaxFacts {
    /// Enters a declaration with members.
    func enter(
        _ node: some DeclGroupSyntax,
        _ kind: String,
        name: some SyntaxProtocol,
        called nameText: String,
        genericParameters: String = ""
    ) -> SyntaxVisitorContinueKind {
        let qualifiedName = qualified(nameText)
        let pieces = [
            kind, qualifiedName, "<\(genericParameters)>", "access \(node.modifiers.access)",
            "inherits \((node.inheritanceClause?.inheritedTypes ?? []).map(\.type.code).joined(separator: ","))",
            "where \(node.genericWhereClause?.requirements.code ?? "")", "alias -",
            "available \(node.attributes.availability.joined(separator: ","))",
            "id \(identifierType(node.memberBlock.members) ?? "-")",
            "ids of \(kind == "protocol" ? "" : identifierSources(node.memberBlock.members).joined(separator: ","))",
            codeDepth > 0 ? "local" : "not local", "if \(conditionText)",
            decodes(node.memberBlock.members) ? "decodes" : "-",
        ]
        addFact(.type, at: name.offset, pieces.joined(separator: " "))
        if kind != "extension" { addMember(nameText, isStatic: true, at: name.offset, of: node) }
        push(node, keyword: node.introducer, name: name, "\(kind) \(nameText)")
        types.append(
            EnclosingType(
                qualifiedName: qualifiedName,
                isProtocol: kind == "protocol",
                isEnum: kind == "enum",
                hasCodingKeys: kind == "enum"
                    && (nameText == "CodingKeys"
                        || (node.inheritanceClause?.inheritedTypes ?? []).contains {
                            ["CodingKey", "Swift.CodingKey"].contains($0.type.code)
                        }),
                conditionDepth: conditions.count
            )
        )
        return .visitChildren
    }

    func enter(
        _ node: some DeclGroupSyntax & NamedDeclSyntax & WithGenericParametersSyntax,
        _ kind: String
    ) -> SyntaxVisitorContinueKind {
        enter(
            node,
            kind,
            name: node.name,
            called: node.name.text,
            genericParameters: node.genericParameterClause?.code ?? ""
        )
    }

    func enter(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        let pieces = [
            "typealias", qualified(node.name.text), "<\(node.genericParameterClause?.code ?? "")>",
            "access \(node.modifiers.access)", "inherits ", "where ", "alias \(node.initializer.value.code)",
            "available \(node.attributes.availability.joined(separator: ","))", "id -", "ids of ",
            codeDepth > 0 ? "local" : "not local",
            "if \(conditionText)", "-",
        ]
        addFact(.type, at: node.name.offset, pieces.joined(separator: " "))
        addMember(node.name.text, isStatic: true, at: node.name.offset, of: node)
        push(node, keyword: node.typealiasKeyword, name: node.name, "typealias \(node.name.text)")
        return .visitChildren
    }

    func leaveType() {
        types.removeLast()
        leave()
    }

    /// The name of an extended type without generic arguments.
    func extendedName(_ type: TypeSyntax) -> String {
        if let member = type.as(MemberTypeSyntax.self) {
            return extendedName(member.baseType) + "." + (member.moduleSelector?.code ?? "") + member.name.text
        }
        guard let named = type.as(IdentifierTypeSyntax.self) else { return type.code }
        return (named.moduleSelector?.code ?? "") + named.name.text
    }

    /// The generic arguments of an extended type and of those around it.
    func extendedArguments(_ type: TypeSyntax) -> String {
        if let member = type.as(MemberTypeSyntax.self) {
            return extendedArguments(member.baseType) + (member.genericArgumentClause?.code ?? "")
        }
        return type.as(IdentifierTypeSyntax.self)?.genericArgumentClause?.code ?? ""
    }

    /// Whether one of the members, also in `#if`, is `init(from:)` with a decoder.
    private func decodes(_ members: MemberBlockItemListSyntax) -> Bool {
        members.contains { member in
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                return conditional.clauses.contains { clause in
                    if case .decls(let inner)? = clause.elements { decodes(inner) } else { false }
                }
            }
            guard let parameters = member.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters,
                parameters.count == 1, let parameter = parameters.first, parameter.firstName.text == "from"
            else { return false }
            return parameter.code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.last == "Decoder"
        }
    }

    /// The names that the computed properties `id` return, also in `#if`, and `-` for those that do anything else.
    private func identifierSources(_ members: MemberBlockItemListSyntax) -> [String] {
        members.flatMap { member -> [String] in
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                return conditional.clauses.flatMap { clause -> [String] in
                    if case .decls(let inner)? = clause.elements { identifierSources(inner) } else { [] }
                }
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.modifiers.isStatic,
                variable.bindings.count == 1, let binding = variable.bindings.first,
                binding.pattern.code.withoutBackticks == "id", isComputed(binding)
            else { return [] }
            return [returnedName(binding) ?? "-"]
        }
    }

    /// The name that a computed property returns, if it does nothing else.
    private func returnedName(_ binding: PatternBindingSyntax) -> String? {
        let statements: CodeBlockItemListSyntax?
        switch binding.accessorBlock?.accessors {
        case .getter(let getter)?: statements = getter
        case .accessors(let accessors)?:
            guard accessors.count == 1, let getter = accessors.first, getter.attributes.isEmpty,
                getter.modifier == nil, getter.effectSpecifiers == nil, getter.accessorSpecifier.text == "get"
            else { return nil }
            statements = getter.body?.statements
        default: statements = nil
        }
        guard let statements, statements.count == 1, let statement = statements.first, statement.semicolon == nil else {
            return nil
        }
        var item = Syntax(statement.item)
        if let result = item.as(ReturnStmtSyntax.self)?.expression { item = Syntax(result) }
        var name = item.as(DeclReferenceExprSyntax.self)
        if let access = item.as(MemberAccessExprSyntax.self),
            access.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
        {
            name = access.declName
        }
        guard let name, name.argumentNames == nil, name.baseName.tokenKind != .keyword(.self) else { return nil }
        if case .integerLiteral = name.baseName.tokenKind { return nil }
        return name.baseName.text.withoutBackticks
    }

    /// The type that is written behind the last property `id`, also in `#if`.
    private func identifierType(_ members: MemberBlockItemListSyntax) -> String? {
        var result: String?
        for member in members {
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                for case .decls(let inner)? in conditional.clauses.map(\.elements) {
                    result = identifierType(inner) ?? result
                }
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.modifiers.isStatic,
                variable.bindings.count == 1, let binding = variable.bindings.first, binding.pattern.code == "id"
            else { continue }
            result = binding.typeAnnotation?.type.code ?? binding.initializer.flatMap { typeTold(by: $0.value) }
        }
        return result
    }

    /// The type of a decimal number, of a plain string, and of a call of an initializer without arguments.
    private func typeTold(by value: ExprSyntax) -> String? {
        if value.is(IntegerLiteralExprSyntax.self), value.code.allSatisfy(\.isNumber) { return "Int" }
        if let string = value.as(StringLiteralExprSyntax.self) {
            let isPlain = string.openingPounds == nil && string.openingQuote.tokenKind == .stringQuote
            return isPlain && !string.segments.code.contains("\"") ? "String" : nil
        }
        guard let call = value.as(FunctionCallExprSyntax.self), call.arguments.isEmpty, call.leftParen != nil,
            call.trailingClosure == nil
        else { return nil }
        let name = call.calledExpression.code
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return isName && name.first?.isUppercase == true ? name : nil
    }
}
