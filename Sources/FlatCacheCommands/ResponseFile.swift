/// Arguments from a file, for command lines that would be too long.
enum ResponseFile {
    /// Replaces each `@file` by the lines of the file, without empty lines.
    ///
    /// Inside a file `@` has no special meaning, so a line can be any argument without a line end.
    @_optimize(none)
    static func expand(_ arguments: [String]) throws(CommandError) -> [String] {
        var expanded: [String] = []
        for argument in arguments {
            guard argument.hasPrefix("@") else {
                expanded.append(argument)
                continue
            }
            // The split works on bytes, because names of files can contain other line separators of Unicode.
            for line in try File.read(String(argument.dropFirst())).split(separator: UInt8(ascii: "\n")) {
                let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                if !end.isEmpty { expanded.append(String(decoding: end, as: UTF8.self)) }
            }
        }
        return expanded
    }
}
