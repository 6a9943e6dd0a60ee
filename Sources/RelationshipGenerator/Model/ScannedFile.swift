/// The result of scanning one source file: declarations, annotations, and the declarations that annotations are
/// attached to.
///
/// The scanner reports facts. Validation, which sees all files of a target at once, decides whether they are
/// consistent.
final class ScannedFile {
    /// The path to print in messages, as it was given.
    let path: String
    /// The import declarations, in source order.
    var imports: [ImportDeclaration] = []
    /// All types, extensions, protocols and type aliases, also nested and local ones, in source order.
    var types: [TypeDeclaration] = []
    /// The comments that are annotations, right or wrong, in source order.
    var annotations: [Annotation] = []
    /// The comments that may be meant as annotations, in source order.
    var possibleAnnotations: [PossibleAnnotation] = []
    /// The errors of the file itself, such as an unterminated comment that would hide annotations.
    var diagnostics: [Diagnostic] = []

    /// The first unmatched brace, if there is one.
    var mismatch: BraceMismatch?

    init(path: String) { self.path = path }

    /// The name of the file without its folders.
    var name: String { path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path }
}

/// An unmatched brace, which compilers reject.
struct BraceMismatch: Sendable {
    /// The error to report.
    let diagnostic: Diagnostic
    /// Whether indentation shows the nesting; if not, the declarations of the file can't be trusted.
    let isClear: Bool
}

/// An import declaration.
struct ImportDeclaration: Sendable {
    /// The declaration as written, without comments: `@testable public import struct Foundation.URL`.
    var text: String
    /// The module that is imported: `Foundation`.
    let module: String
    /// The access level written before `import`.
    var access: AccessLevel?
    /// The `#if` branches around the declaration, outermost first.
    var conditions: [ConditionalBranch]
    let location: SourceLocation

    init(
        text: String,
        module: String,
        access: AccessLevel?,
        conditions: [ConditionalBranch],
        location: SourceLocation
    ) {
        self.text = text
        self.module = module
        self.access = access
        self.conditions = conditions
        self.location = location
    }
}

/// A location in a source file, in the form that compilers print.
///
/// It is a class for the same reason as ``PropertyDeclaration``.
package final class SourceLocation: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The path of the file as it was passed in.
    package let path: String
    /// The offset in bytes from the beginning of the file.
    package let offset: Int
    /// The line, counted from 1.
    package let line: Int
    /// The column in UTF-8 bytes, counted from 1, as the Swift compiler counts.
    package let column: Int

    package init(path: String, offset: Int, line: Int, column: Int) {
        self.path = path
        self.offset = offset
        self.line = line
        self.column = column
    }

    package static func == (lhs: SourceLocation, rhs: SourceLocation) -> Bool {
        lhs.offset == rhs.offset && lhs.path == rhs.path
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(offset)
    }

    package static func < (lhs: SourceLocation, rhs: SourceLocation) -> Bool {
        lhs.path == rhs.path ? lhs.offset < rhs.offset : lhs.path < rhs.path
    }

    /// The location in the form that editors recognise: `Post.swift:5:9`.
    package var description: String { "\(path):\(line):\(column)" }
}

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
