import Foundation
import SeededRandom

/// The arguments: a command, then options with a value.
struct Options {
    private(set) var command = ""
    private(set) var folder = FileManager.default.temporaryDirectory
    private(set) var seed = UInt64.random(in: 0..<1_000_000)
    private(set) var round = 0
    private(set) var count = 50
    private(set) var least = 0
    private(set) var toleratesErrors = false

    /// The steps of the store.
    var ledger: Ledger { Ledger(seed: seed) }

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        command = rest.popFirst() ?? ""
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure("\(name) needs a value") }
            switch (name, Int(value)) {
            case ("--folder", _): folder = URL(fileURLWithPath: value, isDirectory: true)
            case ("--seed", let number?): seed = UInt64(number)
            case ("--round", let number?): round = number
            case ("--count", let number?): count = number
            case ("--least", let number?): least = number
            case ("--tolerates-errors", _): toleratesErrors = value == "yes"
            default: throw Failure("'\(name) \(value)' is no option")
            }
        }
    }
}
