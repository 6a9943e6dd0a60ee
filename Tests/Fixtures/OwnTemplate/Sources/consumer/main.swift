print(Post.names)
