/// What becomes of the owner of a relationship when the related entity is removed.
package enum DeleteRule: String, Sendable, CaseIterable {
    /// It is removed, too.
    case cascade
    /// It loses the identifier.
    case nullify
    /// It keeps the identifier, as without a rule.
    case keep
}
