import DeepModels

store()
print(Post(id: 1).related?.id ?? 0)
