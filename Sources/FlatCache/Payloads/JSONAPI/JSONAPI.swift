/// The names of JSON:API 1.1: documents, their errors, links and meta information.
///
///     let document = try decoder.decode(JSONAPI.Document<[Article], Person, Comment>.self, from: data)
///     let articles = cache.store(document).value
///     let next = document.links["next"]?.href
///
/// In a file that has another declaration with this name, write `FlatCache.JSONAPI`.
public enum JSONAPI {}
