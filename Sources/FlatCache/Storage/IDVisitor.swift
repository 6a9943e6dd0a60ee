/// A receiver of identifiers of entities of several types.
protocol IDVisitor {
    func visit<Value: Cachable>(_ type: Value.Type, _ ids: [Value.ID])
}
