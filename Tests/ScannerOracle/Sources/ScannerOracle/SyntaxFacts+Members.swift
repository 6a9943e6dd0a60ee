import SwiftParser
import SwiftSyntax

extension SyntaxFacts {
    func enter(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let binding = node.bindings.first else { return .visitChildren }
        let isMember = isMember(node)
        let description = description(of: node, isMember: isMember)
        push(node, keyword: node.bindingSpecifier, name: binding.pattern, description)
        if isMember {
            for name in node.bindings.flatMap({ names(in: $0.pattern) }) {
                addMember(name, isStatic: node.modifiers.isStatic, at: binding.pattern.offset, of: node)
            }
        }
        if description.hasPrefix("several ") || description == "tuple" { addJointProperties(of: node) }
        guard description.hasPrefix("property "), let type = types.last else { return .visitChildren }
        declarations[declarations.count - 1].isProperty = true
        let inside = conditions.dropFirst(type.conditionDepth).map { $0.joined(separator: ";") }
        let pieces = [
            node.bindingSpecifier.text, "\(type.qualifiedName).\(names(in: binding.pattern)[0]):",
            binding.typeAnnotation?.type.code ?? "-", node.modifiers.isLazy ? "lazy" : "not lazy",
            "access \(node.modifiers.access)", "setter \(node.modifiers.setterAccess)",
            "available \(node.attributes.availability.joined(separator: ","))", "if \(inside.joined(separator: " & "))",
            "attributes \(node.attributes.compactMap { $0.as(AttributeSyntax.self)?.code }.joined(separator: ","))",
            binding.initializer == nil ? "-" : "=",
        ]
        addFact(.property, at: binding.pattern.offset, pieces.joined(separator: " "))
        return .visitChildren
    }

    /// The stored properties of a declaration with several names.
    private func addJointProperties(of node: VariableDeclSyntax) {
        guard let type = types.last, !type.isProtocol, !node.modifiers.isStatic,
            !node.bindings.contains(where: isComputed)
        else { return }
        var joint: [(pattern: PatternSyntax, type: String?, hasInitialValue: Bool)] = node.bindings.map {
            ($0.pattern, $0.typeAnnotation?.type.code, $0.initializer != nil)
        }
        for index in joint.indices.dropLast().reversed() where joint[index].type == nil && !joint[index].hasInitialValue
        {
            joint[index].type = joint[index + 1].type
        }
        for (pattern, type, hasInitialValue) in joint {
            for identifier in identifiers(in: pattern) {
                let typeText = pattern.is(IdentifierPatternSyntax.self) ? type ?? "-" : "-"
                addFact(
                    .jointProperty,
                    at: identifier.offset,
                    "\(identifier.identifier.text.withoutBackticks): \(typeText) \(hasInitialValue ? "=" : "-")"
                )
            }
        }
    }

    private func identifiers(in pattern: some SyntaxProtocol) -> [IdentifierPatternSyntax] {
        if let pattern = pattern.as(IdentifierPatternSyntax.self) { return [pattern] }
        return pattern.children(viewMode: .sourceAccurate).flatMap { identifiers(in: $0) }
    }

    private func description(of node: VariableDeclSyntax, isMember: Bool) -> String {
        guard let binding = node.bindings.first else { return "elsewhere" }
        guard isMember, let type = types.last else {
            // The scanner knows local variables only where they stand on a line of their own.
            let isAsync = node.modifiers.contains { $0.name.text == "async" }
            return codeDepth > 0 || isAsync ? "elsewhere" : "global \(globalName(binding.pattern))"
        }
        let names = names(in: binding.pattern)
        if !binding.pattern.is(IdentifierPatternSyntax.self) { return "tuple" }
        if node.bindings.count > 1 {
            return "several \(node.bindings.flatMap { self.names(in: $0.pattern) }.joined(separator: ","))"
        }
        if type.isProtocol { return "requirement \(names[0])" }
        if node.modifiers.isStatic { return "static \(names[0])" }
        return isComputed(binding) ? "computed \(names[0])" : "property \(names[0])"
    }

    private func globalName(_ pattern: PatternSyntax) -> String {
        guard !pattern.is(WildcardPatternSyntax.self) else { return "_" }
        let names = names(in: pattern)
        return pattern.is(IdentifierPatternSyntax.self) ? names[0] : "(\(names.joined(separator: ",")))"
    }

    func isComputed(_ binding: PatternBindingSyntax) -> Bool {
        guard let block = binding.accessorBlock else { return false }
        guard case .accessors(let accessors) = block.accessors else { return true }
        return accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }

    /// The names that a pattern binds.
    private func names(in pattern: some SyntaxProtocol) -> [String] {
        if let pattern = pattern.as(IdentifierPatternSyntax.self) {
            return [pattern.identifier.text.withoutBackticks]
        }
        return pattern.children(viewMode: .sourceAccurate).flatMap { names(in: $0) }
    }

    func enter(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.name.text.withoutBackticks
        push(node, keyword: node.funcKeyword, name: node.name, "func \(name)")
        let labels = node.signature.parameterClause.parameters.map { $0.firstName.text.withoutBackticks + ":" }
        addMember("\(name)(\(labels.joined()))", isStatic: node.modifiers.isStatic, at: node.name.offset, of: node)
        return .visitChildren
    }

    func addMember(_ node: InitializerDeclSyntax) {
        let labels = node.signature.parameterClause.parameters.map { $0.firstName.text.withoutBackticks + ":" }
        addMember("init(\(labels.joined()))", isStatic: false, at: node.initKeyword.offset, of: node)
    }

    func enter(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let first = node.elements.first else { return .visitChildren }
        push(node, keyword: node.caseKeyword, name: first.name, "case \(first.name.text.withoutBackticks)")
        for element in node.elements {
            addMember(element.name.text.withoutBackticks, isStatic: true, at: element.name.offset, of: node)
            if types.last?.hasCodingKeys == true { addCodingKey(element, of: node) }
        }
        if isMember(node), types.last?.isEnum == true, node.elements.count == 1 { addCase(first, of: node) }
        return .visitChildren
    }

    /// A case with associated values, which has a declaration of its own.
    private func addCase(_ element: EnumCaseElementSyntax, of node: EnumCaseDeclSyntax) {
        guard let clause = element.parameterClause, let type = types.last else { return }
        declarations[declarations.count - 1].isProperty = true
        declarations[declarations.count - 1].description = "enumCase \(element.name.text.withoutBackticks)"
        let values = clause.parameters.map { parameter in
            let label = parameter.firstName.map { $0.tokenKind == .wildcard ? "-" : $0.text } ?? "-"
            return "\(label) \(parameter.type.code)"
        }
        let inside = conditions.dropFirst(type.conditionDepth).map { $0.joined(separator: ";") }
        let pieces = [
            "\(type.qualifiedName).\(element.name.text.withoutBackticks)\(clause.code) of \(values.joined(separator: ";"))",
            node.modifiers.contains { $0.name.text == "indirect" } ? "indirect" : "-",
            "available \(node.attributes.availability.joined(separator: ","))", "if \(inside.joined(separator: " & "))",
        ]
        addFact(.enumCase, at: element.name.offset, pieces.joined(separator: " "))
    }

    private func addCodingKey(_ element: EnumCaseElementSyntax, of node: EnumCaseDeclSyntax) {
        guard isMember(node), let type = types.last else { return }
        let name = element.name.text.withoutBackticks
        let value = element.rawValue?.value
        let isNumber =
            value?.as(PrefixOperatorExprSyntax.self) != nil || value?.as(IntegerLiteralExprSyntax.self) != nil
        let isPlain = value?.as(StringLiteralExprSyntax.self)?.openingQuote.tokenKind == .stringQuote
        let key =
            value == nil || isNumber || value?.is(FloatLiteralExprSyntax.self) == true
            ? name : (isPlain ? value?.as(StringLiteralExprSyntax.self)?.representedLiteralValue : nil) ?? "?"
        let inside = conditions.dropFirst(type.conditionDepth).map { $0.joined(separator: ";") }
        addFact(.codingKey, at: element.name.offset, "\(name) = \(key) if \(inside.joined(separator: " & "))")
    }

    func enter(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        let path = node.path.code
        addFact(
            .import,
            at: node.offset,
            """
            \(unconditional(node)) of \(path.prefix { $0 != "." && $0 != ":" }) access \(node.modifiers.access) if \(conditionText)
            """
        )
        return .visitChildren
    }

    /// An import without attributes in `#if`.
    private func unconditional(_ node: ImportDeclSyntax) -> String {
        let attributes = node.attributes.filter { !$0.is(IfConfigDeclSyntax.self) }.map(\.code).joined(separator: " ")
        let kind = node.importKindSpecifier?.text ?? ""
        return [attributes, node.modifiers.code, "import", kind, node.path.code].joined(separator: " ").withoutSpace
    }

    /// Enters an `#if` chain, which is a declaration as far as comments can stand on it; one around attributes is a part
    /// of the declaration that they belong to.
    func enter(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.is(AttributeListSyntax.self) != true, let keyword = node.clauses.first?.poundKeyword else {
            return .visitChildren
        }
        push(node, keyword: keyword, name: keyword, "#if ")
        return .visitChildren
    }

    func leave(_ node: IfConfigDeclSyntax) {
        if node.parent?.is(AttributeListSyntax.self) != true { leave() }
    }

    func enter(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        let before = node.parent?.as(IfConfigClauseListSyntax.self)?.prefix { $0.id != node.id } ?? []
        let clauses = before.map { $0 } + [node]
        conditions.append(clauses.map { $0.poundKeyword.text + " " + ($0.condition?.operatorCode ?? "") })
        return .visitChildren
    }

    func addMember(_ name: String, isStatic: Bool, at offset: Int, of node: some SyntaxProtocol) {
        guard isMember(node) else { return }
        addFact(.member, at: offset, "\(isStatic ? "static " : "")\(name)")
    }

    func isMember(_ node: some SyntaxProtocol) -> Bool {
        node.parent?.is(MemberBlockItemSyntax.self) == true
    }
}

extension String {
    var withoutBackticks: String {
        hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
    }
}
