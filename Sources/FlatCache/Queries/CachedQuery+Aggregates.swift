extension CachedQuery {
    /// The least value of a property in the answer, or `nil` if there is none.
    ///
    ///     posts.min(of: \.createdAt).value
    ///
    /// Values that aren't equal to themselves, as NaN, are left out.
    ///
    /// - Parameter property: The property. It may read the cache.
    /// - Returns: An object that reads and observes the value.
    /// - Complexity: O(1).
    public func min<Property: Comparable & Sendable>(
        of property: any KeyPath<Value, Property> & Sendable
    ) -> CachedAggregate<Value, Property?> {
        extremum(query.projecting(property), .least, { $0 }) { $0.first }
    }

    /// The least value of an optional property in the answer, or `nil` if there is none.
    ///
    /// Values that aren't equal to themselves, as NaN, are left out.
    ///
    /// - Parameter property: The property. It may read the cache. Entities without a value are left out.
    /// - Returns: An object that reads and observes the value.
    /// - Complexity: O(1).
    public func min<Property: Comparable & Sendable>(
        of property: any KeyPath<Value, Property?> & Sendable
    ) -> CachedAggregate<Value, Property?> {
        extremum(query.projecting(property), .least, { $0 }) { $0.first }
    }

    /// The greatest value of a property in the answer, or `nil` if there is none.
    ///
    ///     posts.max(of: \.likes).observe { most in … }
    ///
    /// Values that aren't equal to themselves, as NaN, are left out.
    ///
    /// - Parameter property: The property. It may read the cache.
    /// - Returns: An object that reads and observes the value.
    /// - Complexity: O(1).
    public func max<Property: Comparable & Sendable>(
        of property: any KeyPath<Value, Property> & Sendable
    ) -> CachedAggregate<Value, Property?> {
        extremum(query.projecting(property), .greatest, { $0 }) { $0.last }
    }

    /// The greatest value of an optional property in the answer, or `nil` if there is none.
    ///
    /// Values that aren't equal to themselves, as NaN, are left out.
    ///
    /// - Parameter property: The property. It may read the cache. Entities without a value are left out.
    /// - Returns: An object that reads and observes the value.
    /// - Complexity: O(1).
    public func max<Property: Comparable & Sendable>(
        of property: any KeyPath<Value, Property?> & Sendable
    ) -> CachedAggregate<Value, Property?> {
        extremum(query.projecting(property), .greatest, { $0 }) { $0.last }
    }

    /// The sum of a property of integers in the answer, or `nil` if it is out of the range of the type.
    ///
    ///     posts.sum(of: \.likes).value
    ///
    /// The sum is exact. It is `nil` only as long as it is out of range, whatever partial sums are. The sum of no entities
    /// is 0.
    ///
    /// - Parameter property: The property. It may read the cache.
    /// - Returns: An object that reads and observes the sum.
    /// - Complexity: O(1).
    public func sum<Property: FixedWidthInteger & Sendable>(
        of property: any KeyPath<Value, Property> & Sendable
    ) -> CachedAggregate<Value, Property?> {
        integerSum(query.projecting(property)) { $0 }
    }

    /// The sum of an optional property of integers in the answer, or `nil` if it is out of the range of the type.
    ///
    /// The sum is exact. It is `nil` only as long as it is out of range, whatever partial sums are. The sum of no values is
    /// 0.
    ///
    /// - Parameter property: The property. It may read the cache. Entities without a value are left out.
    /// - Returns: An object that reads and observes the sum.
    /// - Complexity: O(1).
    public func sum<Property: FixedWidthInteger & Sendable>(
        of property: any KeyPath<Value, Property?> & Sendable
    ) -> CachedAggregate<Value, Property?> {
        integerSum(query.projecting(property)) { $0 }
    }

    /// The sum of a property of floating-point numbers in the answer.
    ///
    ///     orders.sum(of: \.weight).value
    ///
    /// Numbers are added exactly as `Double`, and only the sum is rounded. So it depends neither on the order of the entities
    /// nor on earlier values. It is infinite if it is out of range, and NaN if a number is NaN or if infinities of both signs
    /// are added. The sum of no entities is 0.
    ///
    /// - Parameter property: The property. It may read the cache.
    /// - Returns: An object that reads and observes the sum.
    /// - Complexity: O(1).
    public func sum<Property: BinaryFloatingPoint & Sendable>(
        of property: any KeyPath<Value, Property> & Sendable
    ) -> CachedAggregate<Value, Property> {
        floatingPointSum(query.projecting(property)) { $0 }
    }

    /// The sum of an optional property of floating-point numbers in the answer.
    ///
    /// Numbers are added exactly as `Double`, and only the sum is rounded. So it depends neither on the order of the entities
    /// nor on earlier values. It is infinite if it is out of range, and NaN if a number is NaN or if infinities of both signs
    /// are added. The sum of no numbers is 0.
    ///
    /// - Parameter property: The property. It may read the cache. Entities without a value are left out.
    /// - Returns: An object that reads and observes the sum.
    /// - Complexity: O(1).
    public func sum<Property: BinaryFloatingPoint & Sendable>(
        of property: any KeyPath<Value, Property?> & Sendable
    ) -> CachedAggregate<Value, Property> {
        floatingPointSum(query.projecting(property)) { $0 }
    }
}

extension CachedQuery {
    /// The first or last of the values in ascending order.
    func extremum<Property: Sendable, Number: Comparable & Sendable>(
        _ projection: QueryProjection<Value, Property>,
        _ kind: QueryIdentity.Kind,
        _ number: @escaping @Sendable (Property) -> Number?,
        _ end: @escaping @Sendable (ListTree<Number>) -> Number?
    ) -> CachedAggregate<Value, Number?> {
        CachedAggregate(projection.query, projection.identity(kind), of: self) {
            let ordered = TurnState(ListTree<Number>())
            return { removed, added in
                let old = end(ordered.state)
                for match in removed {
                    if let number = number(projection.value(match)) { ordered.state.remove(number) }
                }
                let numbers = added.compactMap { number(projection.value($0)) }.filter { $0 == $0 }
                if ordered.state.isEmpty {
                    ordered.state.insert(numbers.sorted(), at: 0)
                } else {
                    for number in numbers {
                        ordered.state.insert([number], at: ordered.state.partition { $0 < number })
                    }
                }
                let new = end(ordered.state)
                return (new, new != old)
            }
        }
    }

    /// The sum of integers, which can't overflow meanwhile.
    func integerSum<Property: Sendable, Number: FixedWidthInteger & Sendable>(
        _ projection: QueryProjection<Value, Property>,
        _ number: @escaping @Sendable (Property) -> Number?
    ) -> CachedAggregate<Value, Number?> {
        CachedAggregate(projection.query, projection.identity(.sum), of: self) {
            // The sum is `overflows` times the number of values of the type, plus `rest`.
            let sum = TurnState((rest: Number.zero, overflows: 0))
            return { removed, added in
                let old = sum.state
                for match in removed {
                    guard let number = number(projection.value(match)) else { continue }
                    let (rest, isOverflow) = sum.state.rest.subtractingReportingOverflow(number)
                    sum.state.rest = rest
                    if isOverflow { sum.state.overflows -= number < 0 ? -1 : 1 }
                }
                for match in added {
                    guard let number = number(projection.value(match)) else { continue }
                    let (rest, isOverflow) = sum.state.rest.addingReportingOverflow(number)
                    sum.state.rest = rest
                    if isOverflow { sum.state.overflows += number < 0 ? -1 : 1 }
                }
                let new = sum.state
                let isChanged = new.overflows == 0 ? new != old : old.overflows == 0
                return (new.overflows == 0 ? new.rest : nil, isChanged)
            }
        }
    }

    /// The sum of floating-point numbers.
    func floatingPointSum<Property: Sendable, Number: BinaryFloatingPoint & Sendable>(
        _ projection: QueryProjection<Value, Property>,
        _ number: @escaping @Sendable (Property) -> Number?
    ) -> CachedAggregate<Value, Number> {
        CachedAggregate(projection.query, projection.identity(.sum), of: self) {
            let state = TurnState((sum: ExactSum(), rounded: Number.zero))
            return { removed, added in
                for match in removed {
                    if let number = number(projection.value(match)) { state.state.sum.remove(Double(number)) }
                }
                for match in added {
                    if let number = number(projection.value(match)) { state.state.sum.add(Double(number)) }
                }
                let old = state.state.rounded
                let new = state.state.sum.rounded(to: Number.self)
                state.state.rounded = new
                return (new, new != old && !(new.isNaN && old.isNaN))
            }
        }
    }
}

extension ListTree where Item: Comparable {
    /// Removes one of the elements of an ascending tree that are equal to a value.
    ///
    /// - Complexity: O(log *n*), if elements that are neither less nor greater are equal.
    mutating func remove(_ value: Item) {
        let start = partition { $0 < value }
        var place = start
        while place < count, !(value < self[place]) {
            if self[place] == value { return remove(at: place) }
            place += 1
        }
        if let place = firstIndex(of: value) { remove(at: place) }
    }
}
