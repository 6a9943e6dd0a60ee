/// A difference of values that are equal, because their `==` leaves out properties.
enum HiddenDifference {
    #if DEBUG
    /// Says once for a type that equal values differ.
    static func sayOnce<Value: Equatable>(_ first: Value, _ second: Value) {
        let name = String(reflecting: Value.self)
        // The library compares what an app doesn't see as it needs it.
        if name.hasPrefix("FlatCache.") { return }
        guard let path = path(first, second) else { return }
        DeveloperNotes.sayOnce("== of \(name)") {
            let remedy = isOfSystem(Value.self) ? "" : ", or write 'extension \(extended(name)): PartialEquality {}'"
            return """
                values of '\(name)' differ in '\(path)' and are equal by '==', so the write doesn't notify. Compare all \
                properties\(remedy)
                """
        }
    }

    /// The name by which an extension names a type: without the arguments of generic types and the place of private ones.
    private static func extended(_ name: String) -> String {
        var (result, depth) = ("", 0)
        for character in name {
            if character == "<" { depth += 1 }
            if depth == 0 { result.append(character) }
            if character == ">" { depth -= 1 }
        }
        return result.split(separator: ".").filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
    }
    #endif

    /// The names of the members that lead to a difference, or `nil` if there is none that is sure.
    static func path(_ first: Any, _ second: Any) -> String? {
        let mirrors = (Mirror(reflecting: first), Mirror(reflecting: second))
        let children = (mirrors.0.children, mirrors.1.children)
        switch mirrors.0.displayStyle {
        case .struct, .tuple:
            // What the types of others hold, such as the storage of a string, says nothing about their values.
            if first is any CustomReflectable || isOfSystem(type(of: first)) { return leaf(first, second) }
        case .optional, .collection:
            if children.0.count != children.1.count { return "" }
        case .enum:
            guard children.0.first?.label == children.1.first?.label else { return "" }
        default: return leaf(first, second)
        }
        if children.0.isEmpty { return leaf(first, second) }
        for (child, other) in zip(children.0, children.1) {
            guard let rest = path(child.value, other.value) else { continue }
            return [child.label ?? "", rest].filter { !$0.isEmpty }.joined(separator: ".")
        }
        return nil
    }

    private static func isOfSystem(_ type: any Any.Type) -> Bool {
        let name = String(reflecting: type)
        return ["Swift.", "Foundation.", "FoundationEssentials.", "__C."].contains { name.hasPrefix($0) }
    }

    private static func leaf(_ first: Any, _ second: Any) -> String? {
        guard let first = first as? any Equatable else {
            // A case of an enum without values.
            let isEnum = Mirror(reflecting: first).displayStyle == .enum
            return isEnum && String(describing: first) != String(describing: second) ? "" : nil
        }
        return first.isSame(as: second) ? nil : ""
    }
}

extension Equatable {
    /// Whether a value is equal to another one of any type, or neither is a number.
    func isSame(as other: Any) -> Bool {
        guard let other = other as? Self else { return false }
        // A value that isn't equal to itself is not a number.
        return self == other || (self != self && other != other)
    }
}
