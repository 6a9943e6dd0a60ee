/// The code of the inverses of a type.
struct InverseCode {
    private let inverses: [KeptInverse]

    init(_ inverses: [KeptInverse]) {
        self.inverses = inverses
    }

    /// The lines of the property that returns the inverses, or none.
    ///
    /// - Parameter access: The modifier of the property.
    func lines(_ access: String) -> [String] {
        let isDeprecated = inverses.contains {
            $0.relationship.property.isDeprecated || $0.inverse.property.isDeprecated
        }
        return ConditionalArray(type: "_Inverses", name: "inverses", inverses.map { (entry($0), $0.conditions) })
            .property((isDeprecated ? "@available(*, deprecated) " : "") + access)
    }

    private func entry(_ inverse: KeptInverse) -> String {
        let names = [inverse.relationship, inverse.inverse].map { "\\.\(SwiftWords.member($0.names.accessor))" }
        return ".init(\(names[0]), \(names[1]))"
    }
}
