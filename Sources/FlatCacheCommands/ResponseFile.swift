/// Arguments that are in a file because there are too many for a command line.
enum ResponseFile {
    /// Puts the lines of each `@file` in its place; empty lines are none.
    ///
    /// In such a file `@` means nothing, so that it can have any argument but one with a line end.
    static func expand(_ arguments: [String]) throws(CommandError) -> [String] {
        var expanded: [String] = []
        for argument in arguments {
            guard argument.hasPrefix("@") else {
                expanded.append(argument)
                continue
            }
            // By bytes, because other line ends than these can be in the name of a file.
            for line in try File.read(String(argument.dropFirst())).split(separator: UInt8(ascii: "\n")) {
                let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                if !end.isEmpty { expanded.append(String(decoding: end, as: UTF8.self)) }
            }
        }
        return expanded
    }
}
