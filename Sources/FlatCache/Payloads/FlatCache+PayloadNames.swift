// As in `FlatCache+Names.swift`, the names need two steps.

extension FlatCache {
    /// The names of JSON:API.
    public typealias JSONAPI = _JSONAPI
    /// A response that has the entities of each type under the name of the type.
    public typealias FlatPayload = _FlatPayload
}

/// The first step to ``FlatCache/JSONAPI``.
public typealias _JSONAPI = JSONAPI
/// The first step to ``FlatCache/FlatPayload``.
public typealias _FlatPayload = FlatPayload
