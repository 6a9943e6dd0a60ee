internal import FlatCacheStore

extension StoreCheck {
    /// How groups of records are distinguished.
    static let groups = [
        StoreCheck("Groups of one type and different kinds have nothing in common") { place in
            let store = try place.open()
            for kind in RecordGroup.Kind.allCases {
                try store.write(RecordGroup(kind, of: "Post"), .put("a", "\(kind)"), .put("b", "\(kind)"))
            }
            try store.expectRecords("after writing one key in groups of all kinds")
            for kind in RecordGroup.Kind.allCases {
                try store.write(RecordGroup(kind, of: "Post"), removesAll: true, .put("b", "new"))
                try store.expectRecords("after removing the \(kind)")
            }
        },
        StoreCheck("The name of a type can be any text") { place in
            let store = try place.open()
            for (number, name) in typeNames.enumerated() {
                try store.write(RecordGroup(.entities, of: name), .put("a", "\(number)"))
            }
            try store.expectRecords("after writing into groups of \(typeNames.count) types")
            try store.flush()
            store.close()
            try store.open()
            try store.expectRecords("after opening again")
            for name in typeNames { try store.write(RecordGroup(.entities, of: name), removesAll: true) }
            try store.expectRecords("after removing the records of all types")
        },
        StoreCheck("Names of types that are equal as strings name one group") { place in
            let store = try place.open()
            // One character, and a letter with a combining accent.
            try store.write(RecordGroup(.entities, of: "Caf\u{E9}"), .put("a", "1"))
            try store.write(RecordGroup(.entities, of: "Cafe\u{301}"), .put("a", "2"), .put("b", "3"))
            try store.expectRecords("after writing under two spellings of a name")
            try store.flush()
            store.close()
            try store.open()
            try store.expectRecords("after opening again")
        },
        StoreCheck("Groups are counted by their records, and none without records") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"), .put("b", "2"), .put("c", "3"))
            try store.write(.posts, .put("a", "4"), .remove("b"))
            try store.write(RecordGroup(.lists, of: "Post"), .put("a", "1"))
            try store.expectCounts([.posts: 2, RecordGroup(.lists, of: "Post"): 1])
            try store.write(.posts, .remove("a"), .remove("c"))
            try store.expectCounts([RecordGroup(.lists, of: "Post"): 1])
        },
        StoreCheck("Groups that nobody names any more remain") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            try store.write(.authors, .put("a", "1"))
            try store.flush()
            store.close()
            for value in ["2", "3"] {
                try store.open()
                _ = try store.parts(of: [.authors])
                try store.write(.authors, removesAll: true, .put("a", value))
                try store.flush()
                store.close()
            }
            try place.open().expectRecords("after others wrote only the authors")
        },
    ]

    private static let typeNames: [String] = {
        let short = "Post,post,Posts,null,a/b,../Post,/,.,..,C:\\Post,'; DROP TABLE Post; --,\"Post\",%,_,*,ポスト,Grüße"
        let unprintable = ["", " ", "Post ", "Post\n", "Post\u{0}", "\u{0}", "\u{FEFF}Post", "👩‍👩‍👧‍👦"]
        let long = [String(repeating: "n", count: 10_000), String(repeating: "名", count: 9_999) + "x"]
        return short.split(separator: ",").map(String.init) + unprintable + long
    }()
}

extension CheckedStore {
    fileprivate func expectCounts(_ expected: [RecordGroup: Int]) throws {
        let counts = try groups()
        try expect(counts == expected, "groups() to return \(text(of: expected))", found: text(of: counts))
    }
}
