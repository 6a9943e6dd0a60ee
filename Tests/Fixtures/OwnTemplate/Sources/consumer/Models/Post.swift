import FlatCache

struct Author: Cachable { let id: String }
struct Post: Cachable {
    let id: String
    // relationship: Author
    var authorID: String
}
