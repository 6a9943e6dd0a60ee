import FlatCacheCommands
import RelationshipGenerator

/// An error as a workflow command of GitHub Actions, which shows it beside the line.
struct WorkflowAnnotation: CustomStringConvertible {
    private let properties: [(name: String, value: String)]
    private let message: String

    init(path: String, line: Int, title: String, message: String) {
        properties = [("file", File.workspacePath(path)), ("line", String(line)), ("title", title)]
        self.message = message
    }

    init(_ error: Diagnostic) {
        properties = [
            ("file", File.workspacePath(error.path)), ("line", String(error.location.line)),
            ("col", String(error.location.column)), ("title", "Relationship"),
        ]
        message = error.message
    }

    var description: String {
        let properties = properties.map { "\($0.name)=\(Self.escaped($0.value, isProperty: true))" }
        return "::error \(properties.joined(separator: ","))::\(Self.escaped(message, isProperty: false))"
    }

    /// A group of lines that GitHub Actions shows folded under a title.
    static func group(_ title: String, _ lines: [UInt8]) -> [UInt8] {
        let isEnded = lines.isEmpty || lines.last == UInt8(ascii: "\n")
        return Array("::group::\(escaped(title, isProperty: false))\n".utf8) + lines
            + Array("\(isEnded ? "" : "\n")::endgroup::\n".utf8)
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
