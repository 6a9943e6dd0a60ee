/// An entity whose relationships key paths can name.
///
///     try await cache.prefetch(\.author, \.comments.author, of: posts)
///
/// The build plugin makes entities with annotated properties conform: each annotation gives ``Relationships`` a property
/// with the name of its accessor. By hand it looks like this:
///
///     extension Post: RelationshipOwner {
///         struct Relationships: Sendable {
///             var author: FlatCache.Relationship<Post, Author> { .toOne { $0.authorID } }
///         }
///         static var relationships: Relationships { Relationships() }
///     }
public protocol RelationshipOwner: Cachable {
    /// Has a property of type ``FlatCache/Relationship`` for each relationship.
    associatedtype Relationships: Sendable

    /// The relationships, for key paths to begin at.
    static var relationships: Relationships { get }
}
