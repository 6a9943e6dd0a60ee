/// One branch of an `#if` chain, with the directives that lead to it.
///
/// The `#else` branch of `#if DEBUG` has the directives `["#if DEBUG", "#else"]`.
package struct ConditionalBranch: Hashable, Sendable {
    /// The directives from `#if` up to the branch, as written, without comments.
    package var directives: [String]

    package init(directives: [String]) { self.directives = directives }
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
        var directive: String
        /// The previous branch of the same chain.
        var previous: Int?
        /// The branch that contains the chain.
        var outer: Int?
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
