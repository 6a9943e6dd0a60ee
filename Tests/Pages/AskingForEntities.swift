import FlatCache
import Foundation

struct Post: Cachable, Equatable {
    let id: String
    var title: String
    var likes: Int
    var language: String
    var createdAt: Date
    var parentID: Post.ID?
    var tagIDs: [Tag.ID]
    // relationship: Author
    var authorID: Author.ID
}

struct Channel: Cachable {
    let id: String
}

struct SearchIndex: Sendable {
    func add(_ post: Post) {}
    func replace(_ old: Post, with post: Post) {}
    func remove(_ post: Post) {}
}

let query = FlatCache.Query(Post.self)
var posts: CachedQuery<Post> { leftOut() }
let index = SearchIndex()
let minimum = 10
let yesterday = Date.now
var channels: [Channel] { leftOut() }

// The declarations of UIKit that the page uses.

@MainActor class UITableViewController {
    let tableView = UITableView()
}

@MainActor class UITableView {
    func reloadData() {}
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
    func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    func reconfigureRows(at indexPaths: [IndexPath]) {}
    func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
    func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
    func moveSection(_ section: Int, toSection newSection: Int) {}

    enum RowAnimation { case automatic }
}

extension IndexPath {
    init(row: Int, section: Int) { self = [section, row] }
}
