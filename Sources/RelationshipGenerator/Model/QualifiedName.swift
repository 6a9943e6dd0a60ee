/// The names of types as they are written: `Author`, `Blog.Author`, `Blog::Author`.
///
/// Names in backticks can contain periods and colons, which part nothing there.
enum QualifiedName {
    /// The names between the periods and module selectors of a name.
    static func components(of name: String) -> [Substring] {
        var isRaw = false
        return name.split { character in
            if character == "`" { isRaw.toggle() }
            return !isRaw && (character == "." || character == ":")
        }
    }

    /// Whether a module selector is in a name.
    static func hasModuleSelector(_ name: String) -> Bool {
        // Nearly none has a colon, or a backtick.
        name.utf8.contains(UInt8(ascii: ":")) && withoutRawNames(name).contains("::")
    }

    /// A piece of code without its names in backticks, to find in it what is none.
    static func withoutRawNames(_ code: String) -> String {
        guard code.utf8.contains(Byte.backtick) else { return code }
        var isRaw = false
        return code.filter { character in
            if character == "`" { isRaw.toggle() }
            return !isRaw
        }
    }
}
