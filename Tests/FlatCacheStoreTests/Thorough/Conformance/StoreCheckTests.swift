import FlatCacheStore
import FlatCacheStoreTesting
import TestThreads
import Testing

@Suite(.mayBlock) struct StoreCheckTests {
    static let checks = StoreCheck.all + StoreCheck.ofSharing

    @Test("A store that does everything that is promised passes", arguments: StoreCheck.all)
    func passes(_ check: StoreCheck) throws {
        struct NotShared: Error {}
        let place = MemoryPlace()
        try check.run {
            FaultyStore(in: place) { store in
                // Stores that one process uses need none of these.
                store.onRefresh = { _ in throw NotShared() }
                store.onResume = { _ in throw NotShared() }
            }
        }
    }

    @Test("A store that several processes can use passes", arguments: StoreCheck.ofSharing)
    func passesSharing(_ check: StoreCheck) throws {
        let place = MemoryPlace()
        try check.run { MemoryStore(in: place) }
    }

    @Test("Each check finds its fault, and names itself", arguments: checks)
    func findsItsFault(_ check: StoreCheck) throws {
        let fault = try #require(Fault.all.first { $0.check == check.name })
        let place = MemoryPlace()
        let failure = #expect(throws: StoreCheckFailure.self) {
            try check.run { FaultyStore(in: place, fault.plant) }
        }
        #expect(failure?.check == check.name)
    }

    @Test("Each fault belongs to a check")
    func faultsAreOfChecks() {
        #expect(Set(Fault.all.map(\.check)) == Set(Self.checks.map(\.name)))
        #expect(Fault.all.count == Self.checks.count)
    }

    @Test("A failure says what was expected and found")
    func failureIsDescribed() throws {
        let place = MemoryPlace()
        let check = try #require(Self.checks.first { $0.name == "A batch adds, replaces and removes records" })
        let failure = #expect(throws: StoreCheckFailure.self) {
            try check.run { FaultyStore(in: place) { $0.changeRecords { $0.value == nil ? nil : $0 } } }
        }
        #expect(
            failure?.description == """
                A batch adds, replaces and removes records: expected groups() to return 3 in the entities of 'Post' after a \
                second batch, but found 4 in the entities of 'Post'
                """
        )
    }

    @Test("A failure describes an error of the store, and of its creation")
    func errorsAreDescribed() throws {
        struct DiskError: Error {}
        let check = try #require(Self.checks.first { $0.name == "A new store has no records" })
        let place = MemoryPlace()
        let failure = #expect(throws: StoreCheckFailure.self) {
            try check.run { FaultyStore(in: place) { $0.onOpen = { _, _ in throw DiskError() } } }
        }
        #expect(failure?.expected == "open(.readWrite) to throw no error")
        #expect(failure?.found == "the error 'DiskError()'")
        let other = #expect(throws: StoreCheckFailure.self) {
            try check.run { () throws -> MemoryStore in throw DiskError() }
        }
        #expect(other?.expected == "creating a store to throw no error")
    }

    @Test("The failure of random batches names the seed, which repeats it")
    func seedIsNamed() throws {
        func failure() -> StoreCheckFailure? {
            let place = MemoryPlace()
            return #expect(throws: StoreCheckFailure.self) {
                try StoreCheck.randomBatches(seed: 7).run {
                    FaultyStore(in: place) { $0.changeRecords { $0.value?.count == 13 ? nil : $0 } }
                }
            }
        }
        let first = failure()
        #expect(first?.found.hasSuffix("of 'StoreCheck.randomBatches(seed: 7)'") == true)
        #expect(failure() == first)
    }

    @Test("A check closes all stores at its end")
    func storesAreClosed() throws {
        for check in Self.checks.prefix(10) {
            let place = MemoryPlace()
            try check.run { MemoryStore(in: place) }
            #expect(!place.hasWriter, "\(check)")
        }
    }
}
