import FlatCache

struct Image: Cachable, Codable, Equatable {
    let id: String
}

var visit: ProfileResponse { leftOut() }
var otherVisit: ProfileResponse { leftOut() }
