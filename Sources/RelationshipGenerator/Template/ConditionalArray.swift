/// The code of an array, of which some elements can be under `#if`.
struct ConditionalArray {
    /// The type of the array.
    private let type: String
    /// The name of a variable for the array.
    private let name: String
    private let elements: [(text: String, conditions: [ConditionalBranch])]

    init(type: String, name: String, _ elements: [(text: String, conditions: [ConditionalBranch])]) {
        self.type = type
        self.name = name
        self.elements = elements
    }

    /// The lines of a body that returns the array, or none if it is empty.
    ///
    /// It is an array literal, or statements if elements are under conditions, which a literal can't contain.
    @_optimize(none)
    var lines: [String] {
        guard !elements.isEmpty else { return [] }
        let unconditional = elements.filter(\.conditions.isEmpty).map(\.text)
        guard unconditional.count < elements.count else { return Self.literal(of: unconditional, after: "") }
        var lines = Self.literal(of: unconditional, after: "var \(name): \(type) = ")
        var conditional = elements.filter { !$0.conditions.isEmpty }[...]
        while let conditions = conditional.first?.conditions {
            let group = conditional.prefix { $0.conditions == conditions }
            conditional = conditional.dropFirst(group.count)
            lines += conditions.flatMap(\.directives) + Self.literal(of: group.map(\.text), after: "\(name) += ")
            lines += conditions.map { _ in "#endif" }
        }
        return lines + ["return \(name)"]
    }

    /// The lines of a property that returns the array, or none if it is empty.
    ///
    /// - Parameter modifiers: The modifiers of the property, with a trailing space.
    func property(_ modifiers: String) -> [String] {
        let body = lines
        if body.isEmpty { return [] }
        let head = "\(modifiers)static var \(name): \(type) {"
        if body.count == 1, head.count + body[0].count < LineWrapping.limit - 6 { return ["\(head) \(body[0]) }"] }
        // A directive may be indented, too.
        return [head] + body.map { "    " + $0 } + ["}"]
    }

    /// An array literal with as many elements in a line as fit.
    private static func literal(of elements: [String], after beginning: String) -> [String] {
        var lines = [beginning + "["]
        for (number, element) in elements.enumerated() {
            let element = element + (number == elements.count - 1 ? "" : ",")
            let last = lines[lines.count - 1]
            if number == 0 {
                lines[lines.count - 1] += element
            } else if last.count + element.count < LineWrapping.limit - 10 {
                lines[lines.count - 1] += " " + element
            } else {
                lines.append((beginning.isEmpty ? " " : "    ") + element)
            }
        }
        lines[lines.count - 1] += "]"
        return lines
    }
}
