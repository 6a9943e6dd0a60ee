import Foundation

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
            let path = String(argument.dropFirst())
            guard let data = FileManager.default.contents(atPath: path) else {
                throw .failure("\(path): error: the file with arguments can't be read")
            }
            expanded += String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        return expanded
    }
}
