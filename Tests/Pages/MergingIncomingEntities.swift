import FlatCache

struct Draft: Cachable {
    let id: String
    var isBeingEdited = false
    var scrollPosition = 0
}
