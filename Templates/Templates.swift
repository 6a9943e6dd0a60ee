/// The shipped templates.
///
/// They are string literals, because every build with the plugin compiles them, and embedding files as resources takes
/// many times as long.
package enum Templates {
    /// The texts by the names that templates use to include them.
    package static let all = ["Getters": getters, "Relationships": relationships]
}
