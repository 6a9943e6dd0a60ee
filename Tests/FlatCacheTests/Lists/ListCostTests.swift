import TestThreads
import Testing

@testable import FlatCache

@Suite("Costs of lists", .mayBlock)
struct ListCostTests {
    #if compiler(>=6.2) && (os(macOS) || os(Linux))
    @Test("S9: One more identifier doesn't copy the list: all versions of a growing list together need little memory")
    func noCopies() async {
        // A process of its own, because tests that run beside this one need memory too.
        await #expect(processExitsWith: .success) {
            let cache = FlatCache()
            let list = cache.list("home", of: Counter.self)
            var versions: [ListContents<Counter>?] = []
            let before = try ProcessMemory.inUse()
            for number in 0..<3_000 {
                if number % 2 == 0 {
                    list.append(ids: [number])
                } else {
                    list.prepend(contentsOf: [Counter(id: number)])
                }
                versions.append(cache.get(id: "home"))
            }
            let grown = try ProcessMemory.inUse() - before
            // Copies of all would need more than 80 MB.
            #expect(grown < 20 << 20, "3,000 versions need \(grown) bytes")
            #expect(versions.last??.order.count == 3_000)
        }
    }
    #endif

    @Test(
        "A listed identifier isn't listed again, by any change, and identifiers with colliding hashes are distinct"
    )
    func collisions() {
        let cache = FlatCache()
        let list = cache.list("home", of: Colliding.self)
        for number in 0..<200 { list.append(ids: [CollidingID(number: number)]) }
        list.prepend(ids: (150..<250).map(CollidingID.init))
        #expect(list.ids.map(\.number) == Array(200..<250) + Array(0..<200))
        #expect(list.contains(CollidingID(number: 249)))
        #expect(!list.contains(CollidingID(number: 250)))
        for number in 0..<200 { #expect(list.remove(CollidingID(number: number))) }
        #expect(list.count == 50)
    }
}
