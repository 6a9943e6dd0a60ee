/// The error of a mutation that has inserted an entity, stored like an entity because a mutation that names the identifier can be
/// sent later.
///
/// It counts while no entity is stored under the identifier. There is none of a type whose entities can be only in a store, and it
/// is removed if the entity is evicted.
struct FailedInsertion: InternalEntity {
    let id: FlatCacheKey
    let error: any Error
}
