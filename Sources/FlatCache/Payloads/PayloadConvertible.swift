/// A decoded response of any kind whose entities a cache can store.
///
/// The kinds are ``Payload``, ``FlatPayload`` and ``JSONAPI/Document``.
public protocol PayloadConvertible<Root>: _StorableAnswer {
    /// The type of the value that storing returns.
    associatedtype Root: Decodable & Sendable

    /// The entities, the problems and the root of the response.
    var payload: Payload<Root> { get }
}

extension Payload: PayloadConvertible {
    /// The payload itself.
    public var payload: Payload { self }
}
