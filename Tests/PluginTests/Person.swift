import FlatCache

/// A separate file without annotations: the plugin reads all files of a target.
struct Person: Cachable, Equatable {
    let id: String
    var name = ""
}
