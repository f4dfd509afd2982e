import { githubReleases, type VendorFile, type VendorReleases } from "../../install/sources/vendor-releases.ts";

export const releases: VendorReleases = {
  files: {
    "linux-x64": tar("x86_64-unknown-linux-gnu"),
    "linux-x64-musl": tar("x86_64-unknown-linux-musl"),
    "linux-arm64": tar("aarch64-unknown-linux-gnu"),
    "linux-arm64-musl": tar("aarch64-unknown-linux-musl"),
    "darwin-x64": tar("x86_64-apple-darwin"),
    "darwin-arm64": tar("aarch64-apple-darwin"),
    "win32-x64": {
      target: "x86_64-pc-windows-msvc",
      file: "goose-x86_64-pc-windows-msvc.zip",
      archive: { kind: "zip", strip: 1 },
      binary: "goose.exe",
    },
  },
  hosts: [githubReleases("aaif-goose/goose")],
};

function tar(target: string): VendorFile {
  return { target, file: `goose-${target}.tar.gz`, archive: { kind: "tgz", strip: 0 }, binary: "goose" };
}
