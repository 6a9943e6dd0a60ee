/// The properties of a type that keep no value when a payload leaves out their keys.
///
/// A variable is assigned by generated code. Another property is kept by `init(from:)`, which reads the values that are
/// stored: those of readable properties, or those that `encode(to:)` writes.
struct PayloadLosses {
    private let type: String
    /// Whether the type is an entity, and not a structure in one.
    private let isEntity: Bool
    /// Whether the type has an `init(from:)` written by hand.
    let hasOwnInitializer: Bool
    private let isEncodable: Bool
    /// The properties that only an `init(from:)` written by hand can keep.
    private var uncertain: [PropertyDeclaration] = []
    private var unreadable: [PropertyDeclaration] = []
    private var wrapped: [PropertyDeclaration] = []
    private var reset: [PropertyDeclaration] = []

    init(type: String, isEntity: Bool, in target: TargetDeclarations) {
        self.type = type
        self.isEntity = isEntity
        hasOwnInitializer = target.hasOwnDecodingInitializer(type)
        isEncodable = target.conformance(of: type, to: TargetDeclarations.encodableProtocols) == .shown
    }

    /// Adds a property without a coding key, which decoding sets to its initial value.
    mutating func addReset(_ property: PropertyDeclaration) { reset.append(property) }

    /// Adds a property if payloads can't keep it.
    mutating func check(_ property: PropertyDeclaration, isWrapped: Bool) {
        let isSettable = property.isSettableElsewhere
        guard !isSettable || property.isHidden || !isEntity && isWrapped else { return }
        if hasOwnInitializer {
            uncertain.append(property)
        } else if !isEncodable, property.isHidden {
            unreadable.append(property)
        } else if !isEncodable, isWrapped {
            wrapped.append(property)
        }
    }

    /// The notes, one for each reason.
    var notes: [Diagnostic] {
        [
            uncertain.isEmpty ? nil : .keptByInitializer(uncertain),
            unreadable.isEmpty ? nil : .unreadableAbsent(unreadable, of: type),
            wrapped.isEmpty ? nil : .wrappedAbsent(wrapped, of: type, isEntity: isEntity),
            reset.isEmpty ? nil : isEntity ? .resetByDecoding(reset) : .resetInEntity(reset, of: type),
        ].compactMap { $0 }
    }
}

extension TargetDeclarations {
    /// Whether a type has an `init(from:)` written by hand.
    func hasOwnDecodingInitializer(_ type: String) -> Bool {
        ([type] + protocols(of: type)).flatMap(declarations).contains {
            $0.kind != .protocol && $0.hasDecodingInitializer
        }
    }
}

extension PropertyDeclaration {
    /// Whether other files of the module can set the property.
    var isSettableElsewhere: Bool {
        isVariable && (setterAccess ?? access ?? .internal) > .fileprivate
    }
}
