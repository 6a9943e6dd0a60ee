import FlatCache

/// In a file of its own and not annotated: the plugin reads all files of a target.
struct Person: Cachable, Equatable {
    let id: String
    var name = ""
}
