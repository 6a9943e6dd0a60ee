/// The property wrapper of a property.
enum PropertyWrapper {
    /// The library's `Omittable`.
    case omittable
    /// A type, as written in the type with the property.
    case type(String)
    /// The sources don't show the type, because its generic arguments aren't written.
    case unknown
}

extension TargetDeclarations {
    /// Whether a property has a property wrapper, as far as the sources show.
    func isWrapped(_ property: PropertyDeclaration, in owner: String) -> Bool {
        !wrappers(of: property, in: owner).isEmpty
    }

    /// The property wrapper of a property, or `nil` if it has none, as far as the sources show.
    @_optimize(none)
    func wrapper(of property: PropertyDeclaration, in owner: String) -> PropertyWrapper? {
        let wrappers = wrappers(of: property, in: owner)
        guard let attribute = wrappers.first else { return nil }
        // The outer one of several wraps the others, in a type that isn't written.
        guard wrappers.count == 1 else { return .unknown }
        let name = Self.name(of: attribute)
        let meant = unaliased(name, in: owner)
        if resolve(meant, in: "") == nil, Self.omittables.contains(Self.name(of: "@" + meant)) { return .omittable }
        let type = Self.type(of: attribute)
        return isWhole(type, in: owner) ? .type(type) : .unknown
    }

    /// Whether the type of an attribute is known to have all its generic arguments.
    private func isWhole(_ type: String, in owner: String) -> Bool {
        if type.hasSuffix(">") { return !type.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains("_") }
        let path = Self.withoutArguments(type)
        // An alias can leave out the arguments of a generic type, so that it is generic, too.
        guard let place = place(of: unaliased(path, in: owner)) else { return false }
        guard self[place].attributes.contains("@propertyWrapper") else { return false }
        return (path == type ? chain(from: place) : [self[place]]).allSatisfy { $0.genericParameters.isEmpty }
    }

    private static func withoutArguments(_ type: String) -> String {
        var depth = 0
        var previous: Character?
        return type.filter { character in
            if character == "<" { depth += 1 }
            defer {
                if character == ">", previous != "-" { depth -= 1 }
                previous = character
            }
            return depth == 0
        }
    }

    private func wrappers(of property: PropertyDeclaration, in owner: String) -> [String] {
        property.attributes.filter { attribute in
            !Self.isKnownAttribute(attribute) && !Self.attributesOfProperties.contains(Self.name(of: attribute))
                && !isGlobalActor(attribute, in: owner)
        }
    }

    private static let omittables = spellings(of: "Omittable", in: "FlatCache")

    /// The type of an attribute, without the arguments of its initializer: `Clamped<Int>` for `@Clamped<Int>(1)`.
    private static func type(of attribute: String) -> String {
        var depth = 0
        var previous: Character?
        let type = attribute.dropFirst().prefix { character in
            if character == "<" { depth += 1 }
            if character == ">", previous != "-" { depth -= 1 }
            previous = character
            return character != "(" || depth > 0
        }
        return String(type)
    }

    /// Whether a property belongs to a global actor, so that no key path leads to it.
    func isIsolated(_ property: PropertyDeclaration, in owner: String) -> Bool {
        property.attributes.contains { Self.name(of: $0) == "MainActor" || isGlobalActor($0, in: owner) }
    }

    private func isGlobalActor(_ attribute: String, in owner: String) -> Bool {
        guard let resolved = resolve(Self.name(of: attribute), in: owner) else { return false }
        return declarations(of: resolved).contains { $0.attributes.contains("@globalActor") }
    }

    private static func name(of attribute: String) -> String {
        String(attribute.dropFirst().prefix { $0 != "(" && $0 != "<" })
    }

    /// The attributes of properties in Swift and its standard libraries that aren't property wrappers.
    private static let attributesOfProperties = Set(
        words: """
            inlinable inline backDeployed exclusivity unsafe safe differentiable noDerivative IBOutlet IBInspectable \
            GKInspectable NSCopying NSManaged ObservationIgnored
            """
    )
}
