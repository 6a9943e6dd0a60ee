/// The reason why a store or an entity failed a check.
public struct StoreCheckFailure: Error, Hashable, CustomStringConvertible {
    /// The ``StoreCheck/name`` of the check, or the entity that was checked.
    public let check: String

    /// What was expected, as the end of a sentence.
    public let expected: String

    /// What was found instead, as the end of a sentence.
    public let found: String

    /// A message with what was checked, expected and found.
    public var description: String { "\(check): expected \(expected), but found \(found)" }
}

extension StoreCheckFailure {
    /// Creates the failure for an error that a check has thrown.
    init(of check: String, _ error: any Error) {
        if let unmet = error as? UnmetExpectation {
            self.init(check: check, expected: unmet.expected, found: unmet.found)
        } else {
            self.init(check: check, expected: "no error", found: "the error '\(error)'")
        }
    }
}

/// What a check has found instead of what it expected.
struct UnmetExpectation: Error {
    let expected: String
    let found: String
}

/// Throws an ``UnmetExpectation`` if a condition isn't met.
///
/// - Parameters:
///   - condition: The condition.
///   - expected: What is expected, as the end of a sentence.
///   - found: What is found if the condition isn't met.
func expect(_ condition: Bool, _ expected: @autoclosure () -> String, found: @autoclosure () -> String) throws {
    if !condition { throw UnmetExpectation(expected: expected(), found: found()) }
}

/// Throws an ``UnmetExpectation`` if a closure throws no error.
///
/// - Parameters:
///   - operation: What the closure does, as a noun.
///   - body: The closure.
func expectError(of operation: String, _ body: () throws -> Void) throws {
    do { try body() } catch { return }
    throw UnmetExpectation(expected: "\(operation) to throw an error", found: "that it threw none")
}
