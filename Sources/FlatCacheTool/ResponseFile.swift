/// Arguments that are in a file because there are too many for a command line.
enum ResponseFile {
    /// Puts the lines of each `@file` in its place.
    static func expand(_ arguments: [String]) throws(CommandError) -> [String] {
        var expanded: [String] = []
        for argument in arguments {
            guard argument.hasPrefix("@") else {
                expanded.append(argument)
                continue
            }
            let text = String(decoding: try File.read(String(argument.dropFirst())), as: UTF8.self)
            expanded += text.split(whereSeparator: \.isNewline).map(String.init)
        }
        return expanded
    }
}
