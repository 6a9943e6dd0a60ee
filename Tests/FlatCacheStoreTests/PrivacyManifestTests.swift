import Foundation
import Testing

/// The reasons that fit what each library of the package does, by category.
private let reasons: [String: [String: [String]]] = [
    "FlatCache": [:],
    "FlatCacheStore": ["FileTimestamp": ["C617.1"]],
    "FlatCacheStoreTesting": [:],
]

@Suite("Privacy manifests of the libraries")
struct PrivacyManifestTests {
    /// The interfaces that need a reason, by the suffix of their category, as Apple lists them.
    private static let interfaces = [
        "FileTimestamp": [
            "creationDate", "creationDateKey", "modificationDate", "contentModificationDateKey", "fileModificationDate",
            "getattrlist", "getattrlistat", "getattrlistbulk", "fgetattrlist", "stat", "fstat", "fstatat", "lstat",
        ],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "DiskSpace": [
            "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
            "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey", "volumeAvailableCapacity",
            "volumeAvailableCapacityForImportantUsage", "volumeAvailableCapacityForOpportunisticUsage",
            "volumeTotalCapacity", "systemFreeSize", "systemSize", "statfs", "statvfs", "fstatfs", "fstatvfs",
            "getattrlist", "getattrlistat", "fgetattrlist",
        ],
        "ActiveKeyboards": ["activeInputModes"],
        "UserDefaults": ["UserDefaults"],
    ]

    private let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../..")

    @Test("A library has a reason for each interface that needs one, and no other", arguments: reasons.keys.sorted())
    func declarations(library: String) throws {
        let expected = try #require(reasons[library])
        #expect(try usedCategories(in: library) == Set(expected.keys))
        #expect(try declaredReasons(of: library) == expected)
    }

    @Test("Each library is checked, and the package copies the manifests that there are")
    func package() throws {
        let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(package.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) } == reasons.keys.sorted())
        let copies = package.matches(of: /name: "(\w+)",\s+dependencies: [^()]+\[\.copy\("PrivacyInfo.xcprivacy"\)\]/)
        #expect(copies.map { String($0.1) } == reasons.filter { !$0.value.isEmpty }.keys.sorted())
    }

    /// The categories of the interfaces whose names are in the sources of a library, except in comments.
    private func usedCategories(in library: String) throws -> Set<String> {
        let folder = root.appending(path: "Sources/\(library)")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var words: Set<Substring> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8).replacing(/\/\/.*/, with: "")
            words.formUnion(source.matches(of: /\w+/).map { source[$0.range] })
        }
        #expect(words.count > 100)
        return Set(Self.interfaces.filter { $0.value.contains { words.contains($0[...]) } }.keys)
    }

    /// The reasons in the manifest of a library, by category, if it has one.
    private func declaredReasons(of library: String) throws -> [String: [String]] {
        let file = root.appending(path: "Sources/\(library)/PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        let manifest = try #require(list as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let uses = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        return try Dictionary(
            uniqueKeysWithValues: uses.map { use in
                let category = try #require(use["NSPrivacyAccessedAPIType"] as? String)
                let reasons = try #require(use["NSPrivacyAccessedAPITypeReasons"] as? [String])
                return (category.replacing("NSPrivacyAccessedAPICategory", with: ""), reasons)
            }
        )
    }
}
