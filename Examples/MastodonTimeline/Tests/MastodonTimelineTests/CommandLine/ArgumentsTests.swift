import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The command line")
struct ArgumentsTests {
    @Test("without arguments asks for the sample timeline")
    func sample() throws {
        let arguments = try Arguments([])
        #expect(arguments.sources == [.sample])
        #expect(!arguments.showsSummaryOnly)
        #expect(!arguments.showsAll)
        #expect(!arguments.showsHelp)
    }

    @Test("names files, also those that look like options")
    func files() throws {
        #expect(try Arguments(["a.json", "b.json"]).sources == [.file(path: "a.json"), .file(path: "b.json")])
        #expect(try Arguments(["--", "--summary"]).sources == [.file(path: "--summary")])
    }

    @Test("takes options anywhere")
    func options() throws {
        #expect(try Arguments(["--summary", "a.json"]) == Arguments(["a.json", "--summary"]))
        #expect(try Arguments(["--summary"]).showsSummaryOnly)
        #expect(try Arguments(["a.json", "--all"]).showsAll)
        #expect(try Arguments(["--help"]).showsHelp)
        #expect(try Arguments(["a.json", "-h"]).showsHelp)
    }

    @Test(
        "names a server, whose public timeline is meant unless it says otherwise",
        arguments: [
            ("https://example.org", "https://example.org/api/v1/timelines/public"),
            ("https://example.org/", "https://example.org/api/v1/timelines/public"),
            ("https://example.org/api/v1/timelines/tag/tea", "https://example.org/api/v1/timelines/tag/tea"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api/v1/timelines/public"),
            ("http://localhost", "http://localhost/api/v1/timelines/public"),
            ("http://[::1]:8080/", "http://[::1]:8080/api/v1/timelines/public"),
        ]
    )
    func servers(argument: String, address: String) throws {
        #expect(try Arguments([argument]).sources.map(\.name) == [address])
    }

    @Test("names the folder that keeps the posts")
    func folder() throws {
        #expect(try Arguments(["--store", "kept", "a.json"]).folder == "kept")
        #expect(try Arguments(["a.json"]).folder == nil)
        #expect(throws: UsageError.missingValue("--store", "a folder")) { try Arguments(["a.json", "--store"]) }
    }

    @Test("names changes, which are made in its order with the token")
    func actions() throws {
        let arguments = try Arguments(
            ["--post", "Hello", "https://a.example", "--boost", "8", "--favourite", "7", "--post", "--all"],
            token: "secret"
        )
        #expect(arguments.actions == [.post("Hello"), .boost("8"), .favourite("7"), .post("--all")])
        #expect(arguments.token == "secret")
    }

    @Test("doesn't use the token if it names no changes")
    func unusedToken() throws {
        #expect(try Arguments(["https://a.example"], token: "secret").token == nil)
    }

    @Test("says how many pages of a timeline to load; one, if it doesn't")
    func pages() throws {
        #expect(try Arguments(["https://a.example", "--pages", "3"]).pageCount == 3)
        #expect(try Arguments(["--pages", "1", "https://a.example/api/v1/accounts/7/statuses"]).pageCount == 1)
        #expect(try Arguments(["https://a.example"]).pageCount == 1)
    }

    @Test(
        "is refused with a reason",
        arguments: [
            (["--sumary"], .unknownOption("--sumary")),
            (["-x", "a.json"], .unknownOption("-x")),
            (["https://"], .invalidAddress("https://")),
            (["http://[::1"], .invalidAddress("http://[::1")),
            (["http://example.org"], .unencryptedAddress("http://example.org")),
            (["https://a.example", "https://b.example"], .severalServers),
            (["a.json", "https://a.example"], .severalServers),
            (["https://a.example", "--pages"], .invalidPageCount(nil)),
            (["https://a.example", "--pages", "0"], .invalidPageCount("0")),
            (["--pages", "https://a.example"], .invalidPageCount("https://a.example")),
            (["https://a.example", "--post"], .missingValue("--post", "a text")),
            (["https://a.example", "--favourite", ""], .missingValue("--favourite", "a post's identifier")),
            (["https://a.example", "--boost"], .missingValue("--boost", "a post's identifier")),
            (["https://a.example", "--boost", "7"], .missingToken("--boost")),
            (["--favourite", "7"], .noTimeline("--favourite", "The sample timeline")),
            (["--post", "Hello", "a.json"], .noTimeline("--post", "a.json")),
            (["--pages", "2"], .noTimeline("--pages", "The sample timeline")),
            (["--pages", "2", "a.json"], .noTimeline("--pages", "a.json")),
            (
                ["--pages", "2", "https://a.example/api/v1/notifications"],
                .noTimeline("--pages", "https://a.example/api/v1/notifications")
            ),
        ] as [([String], UsageError)]
    )
    func refusal(arguments: [String], error: UsageError) {
        #expect(throws: error) { try Arguments(arguments) }
    }
}
