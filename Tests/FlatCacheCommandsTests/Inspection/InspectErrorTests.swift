import FlatCacheStore
import Foundation
import TestThreads
import Testing

@Suite("The folder of flatcache inspect", .mayBlock)
struct InspectErrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func expectError(_ name: String, _ message: String) throws {
        let outcome = try Tool.run(["inspect", name], in: folder.url)
        #expect(outcome == Tool.Outcome(status: 1, output: "", errors: "\(name): error: \(message)\n"))
    }

    @Test("A folder that doesn't exist, a file, and a folder without a store are errors")
    func noStore() throws {
        try expectError("Missing", "folder does not exist")
        _ = try folder.write("", to: "File")
        try expectError("File", "path is a file; name the folder of a store")
        try FileManager.default.createDirectory(atPath: folder.path("Other"), withIntermediateDirectories: false)
        _ = try folder.write("hello", to: "Other/notes.txt")
        try expectError("Other", "folder has no store; name the folder with which its 'FileStore' was created")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("Other")) == ["notes.txt"])
        #expect(!FileManager.default.fileExists(atPath: folder.path("Missing")))
    }

    @Test("A store of a newer format is an error")
    func newerFormat() throws {
        let store = FileStore(at: folder.url.appending(path: "Store"))
        try store.open(.readWrite)
        store.close()
        let manifest = folder.url.appending(path: "Store/manifest")
        var bytes = try [UInt8](Data(contentsOf: manifest))
        bytes[8] = 9
        bytes.replaceSubrange((bytes.count - 4)..., with: Self.checksum(bytes.dropLast(4)))
        try Data(bytes).write(to: manifest)
        try expectError(
            "Store",
            "'\(manifest.path)' has format 9, and this version of FlatCache reads formats up to 1. Nothing was changed. "
                + "Update FlatCache, or use another folder"
        )
    }

    /// The bytes of a CRC-32C, as the format defines it.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let checksum = ~bytes.reduce(UInt32.max) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
    }

    @Test("A file that can't be read is an error")
    func unreadable() throws {
        let manifest = folder.url.appending(path: "Store/manifest")
        try FileManager.default.createDirectory(at: manifest, withIntermediateDirectories: true)
        let reason = "Is a directory. Move this folder away, or use another one for the store"
        try expectError("Store", "can't read '\(manifest.path)': \(reason)")
    }

    @Test("A store without the right to read it is an error")
    func forbidden() throws {
        let store = FileStore(at: folder.url.appending(path: "Store"))
        try store.open(.readWrite)
        store.close()
        let manifest = folder.path("Store/manifest")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: manifest)
        // The superuser can read it without permission.
        if FileManager.default.isReadableFile(atPath: manifest) { return }
        let reason = "Permission denied. Check the permissions of the folder"
        try expectError("Store", "can't open '\(manifest)': \(reason)")
    }
}
