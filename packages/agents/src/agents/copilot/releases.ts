import { githubReleases, type VendorFile, type VendorReleases } from "../../install/sources/vendor-releases.ts";

export const releases: VendorReleases = {
  files: {
    "linux-x64": tar("linux-x64"),
    "linux-x64-musl": tar("linuxmusl-x64"),
    "linux-arm64": tar("linux-arm64"),
    "linux-arm64-musl": tar("linuxmusl-arm64"),
    "darwin-x64": tar("darwin-x64"),
    "darwin-arm64": tar("darwin-arm64"),
    "win32-x64": zip("win32-x64"),
    "win32-arm64": zip("win32-arm64"),
  },
  hosts: [githubReleases("github/copilot-cli", { sums: "SHA256SUMS.txt" })],
};

function tar(target: string): VendorFile {
  return { target, file: `copilot-${target}.tar.gz`, archive: { kind: "tgz", strip: 0 }, binary: "copilot" };
}

function zip(target: string): VendorFile {
  return { target, file: `copilot-${target}.zip`, archive: { kind: "zip", strip: 0 }, binary: "copilot.exe" };
}
