#if canImport(Darwin)
import Foundation
#endif

/// The attributes of the folder of a store on Apple's systems.
struct FolderAttributes: Sendable {
    var protection: FileStore.Protection
    var isExcludedFromBackup: Bool
}

extension StoreFolder {
    /// Sets the attributes of the folder.
    ///
    /// Files that are created in it later have the same protection.
    func set(_ attributes: FolderAttributes) throws {
        #if canImport(Darwin)
        do {
            #if !os(macOS)
            let protection: [FileAttributeKey: Any] = [.protectionKey: attributes.protection.type]
            try FileManager.default.setAttributes(protection, ofItemAtPath: path)
            #endif
            var url = URL(fileURLWithPath: path, isDirectory: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = attributes.isExcludedFromBackup
            try url.setResourceValues(values)
        } catch {
            let code = (error as NSError).underlyingErrors.first.map { Int32(($0 as NSError).code) } ?? EIO
            throw FileStoreError.failed(operation: "set the attributes of", file: path, code: code)
        }
        #endif
    }
}

#if canImport(Darwin) && !os(macOS)
extension FileStore.Protection {
    fileprivate var type: FileProtectionType {
        switch self {
        case .untilFirstUnlock: .completeUntilFirstUserAuthentication
        case .unlessOpen: .completeUnlessOpen
        case .complete: .complete
        case .none: .none
        }
    }
}
#endif
