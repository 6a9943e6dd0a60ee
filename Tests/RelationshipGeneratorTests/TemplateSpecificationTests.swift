import Foundation
import Testing

@testable import RelationshipGenerator

/// Runs the core of the public Mustache specification, from outside of the repository: see `.ci/mustache-spec`.
@Suite("The Mustache specification", .enabled(if: SpecificationCase.folder != nil))
struct TemplateSpecificationTests {
    @Test("All cases of the core render the expected text")
    func cases() throws {
        let cases = try SpecificationCase.all()
        let failures = cases.compactMap { $0.failure() }
        print("Mustache specification: \(cases.count - failures.count) of \(cases.count)")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
        #expect(cases.count == 136)
    }
}

/// A case of the specification.
private struct SpecificationCase {
    var name: String
    var template: String
    var values: TemplateValue
    var partials: [String: String]
    var expected: String

    /// The folder of the specification's files.
    static let folder = ProcessInfo.processInfo.environment["MUSTACHE_SPECIFICATION"]

    static func all() throws -> [SpecificationCase] {
        let folder = URL(fileURLWithPath: try #require(folder))
        let files = ["comments", "delimiters", "interpolation", "inverted", "partials", "sections"]
        return try files.flatMap { file in
            let data = try Data(contentsOf: folder.appending(path: "\(file).json"))
            let content = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            return try #require(content["tests"] as? [[String: Any]]).map { try SpecificationCase($0, file: file) }
        }
    }

    private init(_ json: [String: Any], file: String) throws {
        name = "\(file): \(try #require(json["name"] as? String))"
        template = try #require(json["template"] as? String)
        values = TemplateValue(json: json["data"] ?? NSNull())
        partials = json["partials"] as? [String: String] ?? [:]
        expected = try #require(json["expected"] as? String)
    }

    /// The difference from the expected text, or `nil`.
    func failure() -> String? {
        do {
            let partials = try partials.mapValues { try Template($0) }
            let text = try Template(template).render(values, partials: partials, options: .specification)
            return text == expected ? nil : "\(name): \(text.debugDescription) instead of \(expected.debugDescription)"
        } catch {
            return "\(name): \(error)"
        }
    }
}

extension TemplateValue {
    /// A value of a case; numbers become texts.
    fileprivate init(json: Any) {
        switch json {
        case let text as String: self = .text(text)
        case let list as [Any]: self = .list(list.map(TemplateValue.init(json:)))
        case let object as [String: Any]: self = .object(object.mapValues(TemplateValue.init(json:)))
        case let number as NSNumber:
            let isFlag = String(cString: number.objCType) == "c"
            self = isFlag ? .flag(number.boolValue) : .text("\(number)")
        default: self = .nothing
        }
    }
}
