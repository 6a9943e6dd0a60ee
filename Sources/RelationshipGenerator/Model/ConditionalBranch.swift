/// One branch of an `#if` chain, with the directives that lead to it.
///
/// The `#else` branch of `#if DEBUG` has the directives `["#if DEBUG", "#else"]`.
struct ConditionalBranch: Equatable, Sendable {
    /// The directives from `#if` up to the branch, as written, without comments.
    let directives: [String]

    init(directives: [String]) { self.directives = directives }
}

extension ConditionalBranch {
    /// The condition of the only directive.
    private var plainCondition: String? {
        directives.count == 1 ? String(Self.condition(in: directives[0])) : nil
    }

    /// The condition under which the branch is compiled, in a form that can be an operand of `&&`.
    @_optimize(none)
    private var condition: String {
        let conditions = directives.filter { $0 != "#else" }.map { "(\(Self.condition(in: $0)))" }
        let met = directives.last == "#else" ? 0 : 1
        return (conditions.dropLast(met).map { "!" + $0 } + conditions.suffix(met)).joined(separator: " && ")
    }

    private static func condition(in directive: String) -> Substring { directive.drop { $0 != " " }.dropFirst() }

    /// The condition under which at least one of several declarations is compiled.
    ///
    /// - Parameter branches: The branches around each declaration; none of the lists is empty.
    static func condition(ofAnyOf branches: [[ConditionalBranch]]) -> String {
        if branches.count == 1, branches[0].count == 1, let plain = branches[0][0].plainCondition { return plain }
        let conditions = branches.map { $0.map(\.condition).joined(separator: " && ") }
        return conditions.count == 1 ? conditions[0] : conditions.map { "(\($0))" }.joined(separator: " || ")
    }

    /// Whether two declarations are in different branches of one `#if` chain, so that at most one of them is compiled.
    static func areExclusive(_ first: [ConditionalBranch], _ second: [ConditionalBranch]) -> Bool {
        for (one, other) in zip(first, second) where one != other {
            return one.directives.starts(with: other.directives) || other.directives.starts(with: one.directives)
        }
        return false
    }

    /// The branch in which none of several declarations is compiled.
    static func branch(outsideOf branches: [[ConditionalBranch]]) -> ConditionalBranch {
        ConditionalBranch(directives: ["#if !(\(condition(ofAnyOf: branches)))"])
    }

    /// The branch in which at least one of several declarations is compiled.
    static func branch(aroundAnyOf branches: [[ConditionalBranch]]) -> ConditionalBranch {
        ConditionalBranch(directives: ["#if \(condition(ofAnyOf: branches))"])
    }
}

/// The `#if` branches around a declaration, built when they are used.
///
/// Most declarations in branches have no annotation, and a file can have thousands of branches in a row.
struct EnclosingBranches: Sendable {
    private let all: ConditionalBranches
    private let innermost: Int
    private let count: Int

    /// - Parameter count: The number of branches, from the innermost on.
    init(_ all: ConditionalBranches, innermost: Int, count: Int) {
        self.all = all
        self.innermost = innermost
        self.count = count
    }

    /// The branches, outermost first.
    ///
    /// - Complexity: O(*n*) for *n* directives that lead to them.
    var branches: [ConditionalBranch] { all.branches(from: innermost, count: count) }
}

/// The `#if` branches of a file.
///
/// Each branch is stored once and refers to others by number, so that memory is linear in the file for any depth of
/// nesting and any length of a chain. The table grows during the scan of its file, and is constant after it.
final class ConditionalBranches: @unchecked Sendable {
    private struct Entry {
        let directive: String
        /// The previous branch of the same chain.
        var previous: Int?
        /// The branch that contains the chain.
        let outer: Int?
    }

    private var entries: [Entry] = []

    /// Adds the first branch of a chain.
    ///
    /// - Returns: The number of the branch.
    func open(_ directive: String, in outer: Int?) -> Int {
        entries.append(Entry(directive: directive, previous: nil, outer: outer))
        return entries.count - 1
    }

    /// Adds the branch of a chain that follows another branch.
    func next(_ directive: String, after previous: Int) -> Int {
        entries.append(Entry(directive: directive, previous: previous, outer: entries[previous].outer))
        return entries.count - 1
    }

    fileprivate func branches(from innermost: Int, count: Int) -> [ConditionalBranch] {
        var result: [ConditionalBranch] = []
        var next: Int? = innermost
        while let branch = next, result.count < count {
            var directives: [String] = []
            var previous: Int? = branch
            while let number = previous {
                directives.append(entries[number].directive)
                previous = entries[number].previous
            }
            result.append(ConditionalBranch(directives: directives.reversed()))
            next = entries[branch].outer
        }
        return result.reversed()
    }
}
