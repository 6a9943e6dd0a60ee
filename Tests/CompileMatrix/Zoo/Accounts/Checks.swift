/// What the program has checked, and what was wrong.
package struct Checks: Error, CustomStringConvertible {
    package private(set) var count = 0
    package private(set) var failures: [String] = []

    package init() {}

    package mutating func expect(_ condition: Bool, _ what: String, line: Int = #line) {
        count += 1
        if !condition { failures.append("\(what) (line \(line))") }
    }

    package var description: String { "not so: " + failures.joined(separator: "; ") }
}
