/// All races, in stages: what a stage keeps in memory is gone when the next one begins.
let stages: [@Sendable () -> [Race]] = [
    {
        let population = Population(1_000, "1k")
        return [
            StoreRaces.gets(population), StoreRaces.misses(population), StoreRaces.overwrites(population),
            StoreRaces.updates(population), StoreRaces.transactions(population),
            FieldRaces.fields(population, "field/borrowed"), HandleRaces.whole(population, "handle/whole"),
            HandleRaces.field(population, "handle/field"), AccessorRaces.toOne(population), AccessorRaces.toMany(),
            ObservationRaces.notifications(population), ObservationRaces.subscriptions(population),
            TrackingRaces.untracked(population), TrackingRaces.tracking(population), SequenceRace.race(),
            DerivedRaces.runs(population), DerivedRaces.firstRuns(population), DerivedRaces.commits(population),
            DerivedRaces.unrelatedCommits(population), ListRaces.appends(), ListRaces.loadedPages(),
            ListRaces.values(population),
            FetchRaces.hits(population), FetchRaces.joined(), StoreRaces.customIDs(population),
            SnapshotRaces.gets(population), SnapshotRaces.overwrites(population),
            QueryRaces.matching(population), QueryRaces.limited(population), QueryRaces.others(population),
            QueryRaces.changes(population), QueryRaces.index(population), LimitRaces.gets(population),
            MutationRaces.single(population), MutationRaces.many(population), MutationRaces.rebases(population),
        ]
    },
    {
        let population = Population(10_000, "10k")
        return [StoreRaces.gets(population), StoreRaces.overwrites(population)]
    },
    {
        let population = Population(100_000, "100k")
        return [
            StoreRaces.gets(population), StoreRaces.misses(population), StoreRaces.overwrites(population),
            StoreRaces.updates(population), FieldRaces.fields(population, "field/borrowed/100k"),
            HandleRaces.whole(population, "handle/whole/100k"),
            HandleRaces.field(population, "handle/field/100k"), ThreadRaces.readers(population),
            ThreadRaces.readerBesideWriter(population), ThreadRaces.writers(population),
        ]
    },
    {
        let population = Population(100_000, "100k")
        return [
            QueryRaces.matching(population), QueryRaces.limited(population), QueryRaces.first(population),
            QueryRaces.indexed(population), QueryRaces.ordered(population), AccessorRaces.backlink(population),
            ListRaces.observed(population, listed: 100, "list/observed/100"),
            ListRaces.observed(population, listed: 100_000, "list/observed/100k"),
        ]
    },
    {
        let population = Population(100_000, "100k")
        return [
            StoreRaces.inserts(population), StoreRaces.batches(population), StoreRaces.removals(population),
            LimitRaces.insertions(population), LimitRaces.hitRates(),
        ]
    },
    {
        let responses = Responses()
        return [
            PayloadRaces.nested(responses), PayloadRaces.partial(responses), PayloadRaces.flat(responses),
            PayloadRaces.document(responses), PayloadRaces.peak(responses),
        ]
    },
    { [CommitRaces.single(10_000), CommitRaces.batches(10_000)] },
    { [RecordRaces.encoding(4_000), RecordRaces.decoding(4_000)] },
    { [ArchiveRaces.restoring(100_000, "100k"), ArchiveRaces.sizes(100_000)] },
    { [CompactionRaces.race(1_000_000, "1M")] },
    { [MemoryRaces.race(Population(60_000, "60k"))] },
    { [MemoryRaces.race(Population(98_000, "98k"))] },
    { [MemoryRaces.race(Population(100_000, "100k")), MemoryRaces.matches(Population(100_000, "100k"))] },
    { [MemoryRaces.race(Population(140_000, "140k"))] },
    { [ObservationRaces.othersObserved(Population(1_000, "1k"))] },
    {
        let population = Population(1_000_000, "1M")
        return [StoreRaces.gets(population), StoreRaces.overwrites(population)]
    },
    {
        let population = Population(1_000_000, "1M")
        return [QueryRaces.matching(population), QueryRaces.limited(population)]
    },
]
