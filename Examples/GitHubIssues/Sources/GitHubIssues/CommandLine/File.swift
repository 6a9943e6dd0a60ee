import Foundation

/// A file that the command line names.
struct File {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    func contents() throws(FileError) -> Data {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .missing(path) }
        if isFolder.boolValue { throw .folder(path) }
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
        if data.isEmpty { throw .empty(path) }
        return data
    }
}

/// A reason why a file has no contents; each is one sentence.
enum FileError: Error, Equatable {
    case missing(String), folder(String), unreadable(String), empty(String)
}

extension FileError: CustomStringConvertible {
    var description: String {
        switch self {
        case .missing(let path): "\(path) does not exist."
        case .folder(let path): "\(path) is a folder."
        case .unreadable(let path): "\(path) can't be opened."
        case .empty(let path): "\(path) is empty."
        }
    }
}
