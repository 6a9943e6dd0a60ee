import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where text is shown: how many columns there are, and whether there are colours.
package struct Terminal: Equatable, Sendable {
    /// How a piece of text stands out where there are colours.
    enum Style: String {
        case plain = ""
        case bold = "1"
        case faint = "2"
        case accent = "36"
        case warning = "33"
        case favourite = "1;33"
    }

    /// The number of columns to fill, at least 20; more than 100 would be hard to read.
    private(set) var width: Int
    let showsColors: Bool

    /// Creates a description of an output.
    ///
    /// - Parameters:
    ///   - environment: The variables; `COLUMNS`, `NO_COLOR` and `TERM` count.
    ///   - isInteractive: Whether a person sees the output at once.
    ///   - columns: The columns of the window; `nil` when there is none, which gives 80.
    package init(environment: [String: String], isInteractive: Bool, columns: Int? = nil) {
        let wanted = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        width = min(100, max(20, wanted ?? columns ?? 80))
        showsColors = isInteractive && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Returns the same terminal with fewer columns, for something that stands beside other text.
    func narrower(by columns: Int) -> Terminal {
        var terminal = self
        terminal.width = max(1, width - columns)
        return terminal
    }

    /// The terminal, file or pipe that standard output goes to.
    package static var standardOutput: Terminal {
        let isInteractive = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let hasSize = isInteractive && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Terminal(
            environment: ProcessInfo.processInfo.environment,
            isInteractive: isInteractive,
            columns: hasSize ? Int(size.ws_col) : nil
        )
    }

    /// Returns a text with the codes for a style around it, if there are colours.
    func styled(_ text: String, _ style: Style) -> String {
        showsColors && style != .plain && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Returns the lines that a text takes, each in the style.
    ///
    /// - Parameters:
    ///   - text: The text; what would control the terminal is taken out.
    ///   - style: The style of all lines.
    ///   - indentation: The columns that stay free on the left.
    func lines(_ text: String, _ style: Style = .plain, indentation: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        return text.printable.wrapped(to: width - indentation).map { $0.isEmpty ? "" : margin + styled($0, style) }
    }
}
