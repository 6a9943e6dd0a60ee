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
