/// What names mean in a target, by the rules of Swift.
extension Sketch {
    /// The names of the types around a model, and its own.
    func path(of model: Int) -> [String] { path(ofNamespace: models[model].namespace) + [models[model].name] }

    /// The names of a namespace and those around it.
    func path(ofNamespace namespace: Int?) -> [String] {
        guard let namespace else { return [] }
        return path(ofNamespace: namespaces[namespace].parent) + [namespaces[namespace].name]
    }

    /// The path of the type that a name stands for inside of a model; `nil` when there is none.
    func meaning(of name: String, in owner: Int) -> [String]? {
        let written = name.split(separator: ".").map(String.init)
        // An extension sees the members of what it extends, and the top level.
        let around = path(ofNamespace: models[owner].namespace)
        var scopes = [path(of: owner)]
        if models[owner].isInExtension {
            scopes.append(around)
        } else {
            scopes += around.indices.reversed().map { Array(around[...$0]) }
        }
        scopes.append([])
        for scope in scopes where types.contains(scope + written.prefix(1)) {
            return types.contains(scope + written) ? scope + written : nil
        }
        guard written.first == Self.module else { return nil }
        return types.contains(Array(written.dropFirst())) ? Array(written.dropFirst()) : nil
    }

    private var types: Set<[String]> {
        Set(models.indices.map { path(of: $0) } + namespaces.indices.map { path(ofNamespace: $0) })
    }

    /// The access level that the types around a model leave it.
    func effectiveAccess(of model: Model) -> Access {
        var access = model.access
        var namespace = model.namespace
        while let index = namespace {
            access = min(access, namespaces[index].access)
            namespace = namespaces[index].parent
        }
        return access
    }

    /// The name of a model outside of all types.
    func qualifiedName(of model: Int) -> String { path(of: model).joined(separator: ".") }

    /// The same with the generic parameters as arguments.
    func type(of model: Int) -> String { qualifiedName(of: model) + (models[model].generics?.arguments ?? "") }
}
