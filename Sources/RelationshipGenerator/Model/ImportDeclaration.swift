/// An import declaration.
package struct ImportDeclaration: Hashable, Sendable {
    /// The declaration as written, without comments: `@testable public import struct Foundation.URL`.
    package var text: String
    /// The module that is imported: `Foundation`.
    package var module: String
    /// The access level written before `import`.
    package var access: AccessLevel?
    /// The `#if` branches around the declaration, outermost first.
    package var conditions: [ConditionalBranch]
    package var location: SourceLocation

    package init(
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
