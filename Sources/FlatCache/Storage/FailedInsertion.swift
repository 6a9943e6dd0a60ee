/// The error of a mutation that has inserted an entity, stored like an entity because a mutation that names the identifier can be
/// sent later.
///
/// It counts while no entity is stored under the identifier. It is removed if an entity that was stored there is evicted.
struct FailedInsertion: InternalEntity {
    let id: FlatCacheKey
    let error: any Error
}
