extension FlatCache {
    /// An entity type that states its name in flat payloads and in JSON:API documents.
    ///
    ///     extension Person: FlatCache.PayloadNamed {
    ///         static var payloadName: String { "people" }
    ///     }
    ///
    /// A type without this conformance has the plural of its own name: `BlogPost` is `blogPosts`. The plural adds `s`,
    /// or `es` after `s`, `x`, `z`, `ch` and `sh`, or replaces a `y` after a consonant by `ies`. The singular is also
    /// recognised. Irregular plurals need the conformance.
    ///
    /// The comparison of names ignores case, hyphens and underscores, so `BlogPost` is also `blog-posts` and
    /// `blog_posts`.
    public protocol PayloadNamed {
        /// The name of the type.
        static var payloadName: String { get }
    }
}

/// The names of an entity type in payloads.
struct PayloadName {
    /// The name for messages.
    let text: String
    /// The names in the form in which they are compared.
    private let normalized: Set<String>

    init(of type: any Any.Type) {
        if let type = type as? any FlatCache.PayloadNamed.Type {
            text = type.payloadName
            normalized = [Self.normalized(text)]
        } else {
            let singular = String(describing: type)
            text = Self.plural(of: singular.prefix(1).lowercased() + singular.dropFirst())
            normalized = [Self.normalized(text), Self.normalized(singular)]
        }
    }

    /// Whether a name in a payload is one of these.
    func matches(_ name: String) -> Bool { name == text || normalized.contains(Self.normalized(name)) }

    private static func plural(of name: String) -> String {
        let lowercased = name.lowercased()
        if lowercased.last == "y", let before = lowercased.dropLast().last, !"aeiou".contains(before) {
            return name.dropLast() + "ies"
        }
        return name + (["s", "x", "z", "ch", "sh"].contains(where: lowercased.hasSuffix) ? "es" : "s")
    }

    /// A name without the differences between camel, kebab and snake case.
    private static func normalized(_ name: String) -> String {
        name.filter { $0 != "-" && $0 != "_" }.lowercased()
    }
}
