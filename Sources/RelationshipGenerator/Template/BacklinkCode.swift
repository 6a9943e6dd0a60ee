/// The pieces of code and documentation of a backlink.
final class BacklinkCode {
    private let backlink: Backlink

    init(_ backlink: Backlink) {
        self.backlink = backlink
    }

    private var isToMany: Bool { backlink.relationship.cardinality.isToMany }

    /// The backlink with its type in a form for string literals.
    var path: String {
        "\(backlink.owner).\(SwiftWords.declared(backlink.name))".replacing("\"", with: "\\\"")
    }

    /// The property with the identifiers, as written after a period.
    var property: String { SwiftWords.member(backlink.relationship.property.name) }

    /// The label of the identifier in the query: `is`, or `contains` for several identifiers.
    var comparison: String { isToMany ? "contains" : "is" }

    /// The documentation of the accessor.
    ///
    /// - Parameter cache: The noun for the cache that holds the entities.
    func found(in cache: String) -> String {
        let noun = Inflector.phrase(of: backlink.name) ?? "`\(backlink.name)` entities"
        let order = backlink.sorted.map { "sorted by `\($0)`" } ?? "in order of insertion"
        let verb = isToMany ? "contain" : "is"
        return "The \(noun) in \(cache) whose `\(backlink.relationship.property.name)` \(verb) `id`, \(order)."
    }
}
