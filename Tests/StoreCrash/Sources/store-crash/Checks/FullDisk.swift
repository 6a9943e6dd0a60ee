import Foundation

/// A file that takes all the space that a volume has left.
struct FullDisk {
    private let path: String

    init(_ folder: URL) throws {
        path = folder.appending(path: "filler").path
        let descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw Failure("the disk can't be filled: error \(errno)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw Failure("the disk can't be filled: error \(errno)") }
    }

    /// Frees the space.
    func free() { unlink(path) }
}
