public import People

public typealias Reader = Person
