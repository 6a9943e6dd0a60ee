/// Functions on the names of types as they are written: `Author`, `Blog.Author`, `Blog::Author`.
///
/// A name in backticks can contain periods and colons, which separate nothing there.
enum QualifiedName {
    /// The components of a name, which periods and module selectors separate.
    static func components(of name: String) -> [Substring] {
        var isRaw = false
        return name.split { character in
            if character == "`" { isRaw.toggle() }
            return !isRaw && (character == "." || character == ":")
        }
    }

    /// Whether a name contains a module selector.
    static func hasModuleSelector(_ name: String) -> Bool {
        // Almost no name has a colon or a backtick.
        name.utf8.contains(UInt8(ascii: ":")) && withoutRawNames(name).contains("::")
    }

    /// A piece of code without its names in backticks.
    static func withoutRawNames(_ code: String) -> String {
        guard code.utf8.contains(Byte.backtick) else { return code }
        var isRaw = false
        return code.filter { character in
            if character == "`" { isRaw.toggle() }
            return !isRaw
        }
    }
}
