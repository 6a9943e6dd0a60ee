// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Platforms",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Platforms", targets: ["Platforms"])],
    dependencies: [.package(name: "FlatCache", path: "../../..")],
    targets: [
        .target(
            name: "Platforms",
            dependencies: [
                .product(name: "FlatCache", package: "FlatCache"),
                .product(name: "FlatCacheStore", package: "FlatCache"),
            ],
            plugins: [.plugin(name: "FlatCachePlugin", package: "FlatCache")]
        )
    ]
)
