/// The notes on what payloads can't read or keep.
extension Diagnostic {
    private static func note(_ location: SourceLocation, _ message: String) -> Diagnostic {
        Diagnostic(location, message, level: .note)
    }

    // MARK: Types without a table

    static func noTable(of type: String, _ reason: String, at location: SourceLocation) -> Diagnostic {
        note(location, "no table of keys is generated for '\(type)', because \(reason)")
    }

    static func conditionallyDecodable(_ type: TypeDeclaration, where condition: String) -> Diagnostic {
        noTable(
            of: type.qualifiedName,
            "it is decodable only where '\(condition)'; write the condition on '\(type.kind.rawValue) \(type.name)' itself",
            at: type.location
        )
    }

    static func unreadableKeys(of type: String, _ reason: String, at location: SourceLocation) -> Diagnostic {
        noTable(
            of: type,
            "its 'CodingKeys' \(reason); declare an enum whose raw values are string literals",
            at: location
        )
    }

    /// - Parameter objection: The reason why nothing is generated for it.
    static func partialEquality(of type: String, _ objection: String?, at location: SourceLocation) -> Diagnostic {
        let consequence =
            objection.map { "no conformance to 'PartialEquality' is generated, because \($0)" }
            ?? "each write of a '\(type)' notifies, also of an equal one"
        return note(
            location,
            """
            '==' of '\(type)' can leave out properties, so \(consequence); remove '==', or write 'extension \(type): \
            FlatCache.PartialEquality {}' for no note
            """
        )
    }

    // MARK: Keys that a table doesn't have

    static func unreadableKey(of property: String, at location: SourceLocation) -> Diagnostic {
        note(
            location,
            "the table has no key of '\(property)', because its raw value is not a string literal of one line; write one"
        )
    }

    private static func noKey(of property: PropertyDeclaration, _ reason: String) -> Diagnostic {
        note(
            property.location,
            "the table has no key of '\(property.name)', because other files can't refer to it and \(reason)"
        )
    }

    static func hiddenWithoutType(_ property: PropertyDeclaration) -> Diagnostic {
        noKey(of: property, "its type is not written; write the type")
    }

    static func hiddenWrapper(_ property: PropertyDeclaration) -> Diagnostic {
        noKey(of: property, "it has a property wrapper; write 'private(set)' instead of '\(access(of: property))'")
    }

    static func hiddenType(_ type: String, of property: PropertyDeclaration) -> Diagnostic {
        noKey(of: property, "to its type '\(type)'; make '\(type)' at least internal")
    }

    // MARK: Entities without required properties

    static func computedIdentifier(of type: String, at location: SourceLocation) -> Diagnostic {
        note(
            location,
            "a payload without a required property of '\(type)' can't be merged with the stored entity, because 'id' is "
                + "computed; store it, or return one decoded property as 'var id: String { text }' does"
        )
    }

    static func unknownWrapper(of property: PropertyDeclaration) -> Diagnostic {
        note(
            property.location,
            "a payload with '\(property.name)' and without a required property is lost before the first complete entity, "
                + "from which the type of the property wrapper is learnt; write its generic arguments, or declare it in "
                + "this target, at least internal"
        )
    }

    // MARK: Properties that payloads can't keep

    static func keptByInitializer(_ properties: [PropertyDeclaration]) -> Diagnostic {
        let one = properties.count == 1
        return note(
            properties[0].location,
            "a payload without \(keys(of: properties)) keeps \(names(of: properties)) only if 'init(from:)' reads "
                + "\(one ? "the key of this name" : "the keys of these names"), because other files can't set "
                + "\(one ? "it; declare it as a variable" : "them; declare them as variables") with an internal setter"
        )
    }

    static func unreadableAbsent(_ properties: [PropertyDeclaration], of type: String) -> Diagnostic {
        let access = access(of: properties[0])
        let remedy = properties[0].isVariable ? "write 'private(set)' instead of '\(access)'" : "remove '\(access)'"
        return lost(properties, "can't refer to", remedy, type)
    }

    static func wrappedAbsent(_ properties: [PropertyDeclaration], of type: String, isEntity: Bool) -> Diagnostic {
        if isEntity { return lost(properties, "can't set", "declare an internal setter", type) }
        return lost(properties, "can't refer to the property wrapper of", "remove the wrapper", type)
    }

    static func resetByDecoding(_ properties: [PropertyDeclaration]) -> Diagnostic {
        let (have, them) = properties.count == 1 ? ("it has no coding key", "it") : ("they have no coding keys", "them")
        return note(
            properties[0].location,
            "a payload can't keep \(names(of: properties)), because \(have) and other files can't set \(them); "
                + "declare an internal setter"
        )
    }

    static func resetInEntity(_ properties: [PropertyDeclaration], of type: String) -> Diagnostic {
        let (have, move) = properties.count == 1 ? ("it has no coding key", "it") : ("they have no coding keys", "them")
        return note(
            properties[0].location,
            "a payload with a '\(type)' can't keep \(names(of: properties)), because \(have); move \(move) to the entity"
        )
    }

    static func replacedValue(of property: PropertyDeclaration, type: String) -> Diagnostic {
        note(
            property.location,
            "a payload without some keys of '\(property.name)' can't keep their values, because '\(type)' can't be taken "
                + "apart; make '\(type)' conform to 'Encodable'"
        )
    }

    private static func lost(
        _ properties: [PropertyDeclaration],
        _ lack: String,
        _ remedy: String,
        _ type: String
    ) -> Diagnostic {
        note(
            properties[0].location,
            "a payload without \(keys(of: properties)) can't keep \(names(of: properties)), because other files \(lack) "
                + "\(properties.count == 1 ? "it" : "them"); \(remedy), or make '\(type)' conform to 'Encodable'"
        )
    }

    private static func keys(of properties: [PropertyDeclaration]) -> String {
        properties.count == 1 ? "its key" : "their keys"
    }

    private static func names(of properties: [PropertyDeclaration]) -> String {
        let names = properties.map { "'\($0.name)'" }
        return names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    private static func access(of property: PropertyDeclaration) -> String { property.access?.rawValue ?? "private" }
}
