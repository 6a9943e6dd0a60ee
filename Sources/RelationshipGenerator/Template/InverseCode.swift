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
        guard !inverses.isEmpty else { return [] }
        let isDeprecated = inverses.contains {
            $0.relationship.property.isDeprecated || $0.inverse.property.isDeprecated
        }
        let head = (isDeprecated ? "@available(*, deprecated) " : "") + access + "static var inverses: _Inverses {"
        let body = ConditionalArray(type: "_Inverses", name: "inverses", inverses.map { (entry($0), $0.conditions) })
            .lines
        if body.count == 1, head.count + body[0].count < LineWrapping.limit - 6 { return ["\(head) \(body[0]) }"] }
        // A directive may be indented, too.
        return [head] + body.map { "    " + $0 } + ["}"]
    }

    private func entry(_ inverse: KeptInverse) -> String {
        let names = [inverse.relationship, inverse.inverse].map { "\\.\(SwiftWords.member($0.names.accessor))" }
        return ".init(\(names[0]), \(names[1]))"
    }
}
