import FlatCacheStore
import Foundation

/// Whether the files of a store are whole.
enum StoreHealth {
    case whole
    /// The last bytes of a log are no whole batch.
    case torn(file: String, offset: Int, bytes: Int)
    /// A file is damaged from an offset on.
    case damaged(file: String, offset: Int, FileStoreError.Damage)

    init(_ inspection: FileStoreInspection) {
        if case .damaged(let file, let offset, let damage) = inspection.damage {
            self = .damaged(file: fileName(of: file), offset: offset, damage)
        } else if let tail = inspection.tail {
            self = .torn(file: fileName(of: tail.file), offset: tail.offset, bytes: tail.bytes)
        } else {
            self = .whole
        }
    }

    var isDamaged: Bool {
        if case .damaged = self { true } else { false }
    }
}

extension StoreHealth: CustomStringConvertible {
    /// The problem with its place and remedy.
    var description: String {
        switch self {
        case .whole: "whole"
        case .torn(let file, let offset, let bytes):
            "a torn tail of \(counted(bytes, "byte")) in \(file) at offset \(offset); opening for writing cuts it"
        case .damaged(let file, let offset, let damage):
            """
            damaged in \(file) at offset \(offset): \(damage.description.withLowercasedFirstLetter); call 'salvage()' on a \
            'FileStore' that isn't open to keep what is before
            """
        }
    }
}

/// The name of a file in the folder of a store.
func fileName(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
