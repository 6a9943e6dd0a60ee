/// A type whose `==` leaves out properties, such as one that compares identifiers.
///
///     struct Post: Cachable, Equatable {
///         let id: String
///         var title: String
///         static func == (lhs: Post, rhs: Post) -> Bool { lhs.id == rhs.id }
///     }
///
///     extension Post: PartialEquality {}    // generated
///
/// A write of an equal value doesn't notify. With this conformance, each write of a `Post` notifies, also observers of
/// optionals, arrays, dictionaries and answers of queries.
///
/// The build plugin generates the conformance of an entity whose sources have a `==`. Without it, builds for debugging
/// say once on standard error that equal values of a type differ.
public protocol PartialEquality {}

extension Optional: PartialEquality where Wrapped: PartialEquality {}
extension Array: PartialEquality where Element: PartialEquality {}
extension Dictionary: PartialEquality where Value: PartialEquality {}
