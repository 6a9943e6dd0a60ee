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
    var location: SourceLocation

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
