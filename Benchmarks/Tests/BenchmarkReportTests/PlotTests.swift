import BenchmarkReport
import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("The plot")
struct PlotTests {
    private let figures = [
        Figure(name: "get/1k", subject: "FlatCache", median: 80),
        Figure(name: "get/1M", subject: "FlatCache", median: 700),
        Figure(name: "get/1k", subject: "Queue & <barrier>", median: 400),
        Figure(name: "overwrite/1k", subject: "FlatCache", median: 150),
        Figure(name: "handle/whole", subject: "FlatCache", median: 60),
    ]

    @Test("It is well-formed XML with a line for each subject in each panel")
    func document() throws {
        let svg = try #require(Plot(of: ["get", "overwrite"], figures)).svg
        #expect(isWellFormed(svg))
        #expect(svg.components(separatedBy: "<polyline").count - 1 == 4)
        for text in [">get<", ">overwrite<", ">entities<", ">1k<", ">1M<", ">FlatCache<"] {
            #expect(svg.contains(text))
        }
        #expect(!svg.contains("handle"))
    }

    @Test("Points lie where their logarithms are")
    func positions() throws {
        // The panel is 310 by 350 and begins at (70, 50); axes go from 1k to 1M, and from 10 to 1,000 nanoseconds.
        let figures = [
            Figure(name: "get/1k", subject: "FlatCache", median: 10),
            Figure(name: "get/1M", subject: "FlatCache", median: 1_000),
        ]
        let svg = try #require(Plot(of: ["get"], figures)).svg
        #expect(svg.contains("points=\"70.0,400.0 380.0,50.0\""))
    }

    @Test("There is none of nothing")
    func nothing() {
        #expect(Plot(of: ["remove"], figures) == nil)
    }

    private func isWellFormed(_ document: String) -> Bool {
        XMLParser(data: Data(document.utf8)).parse()
    }
}
