import FlatCache

/// An entity that isn't decodable: its properties come from patches.
struct Account: Cachable, Equatable {
    let id: String
    var name: String
    var note: String?
    var pictureID: Picture.ID?
    var visits = 0
}

struct Picture: Cachable, Codable, Equatable {
    let id: Int
    var address: String
    var width: Int?
}

/// A response that changes an account, and makes none.
struct ProfileResponse: Codable, EntityPatch, Equatable {
    let id: String
    @Omittable var name: String?
    @Omittable var note: String?

    func apply(to account: inout Account) {
        if let name { account.name = name }
        $note.assign(to: &account.note)
    }
}

/// A response that makes an account where none is stored, with a picture in one of two shapes.
struct CardResponse: Decodable, EntityPatch {
    let id: String
    let name: String?
    let picture: Picture?
    let thumbnail: Thumbnail?
    let friends: [CardResponse]?

    func apply(to account: inout Account) {
        if let picture { account.pictureID = picture.id }
        if let thumbnail { account.pictureID = thumbnail.id }
        account.visits += 1
    }

    func makeEntity() -> Account? { name.map { Account(id: id, name: $0) } }
}

/// A response that changes a picture.
struct Thumbnail: Decodable, EntityPatch {
    let id: Int
    let width: Int

    func apply(to picture: inout Picture) { picture.width = width }

    func makeEntity() -> Picture? { Picture(id: id, address: "/\(id)") }
}

/// A patch that is made by hand.
struct Visit: EntityPatch {
    let id: String
    var count = 1

    func apply(to account: inout Account) { account.visits += count }
}
