import { githubReleases, type VendorFile, type VendorReleases } from "../../install/sources/vendor-releases.ts";

export const releases: VendorReleases = {
  files: {
    "linux-x64": tar("linux-x64"),
    "linux-x64-baseline": tar("linux-x64-baseline"),
    "linux-x64-musl": tar("linux-x64-musl"),
    "linux-x64-musl-baseline": tar("linux-x64-baseline-musl"),
    "linux-arm64": tar("linux-arm64"),
    "linux-arm64-musl": tar("linux-arm64-musl"),
    "darwin-x64": zip("darwin-x64"),
    "darwin-x64-baseline": zip("darwin-x64-baseline"),
    "darwin-arm64": zip("darwin-arm64"),
    "win32-x64": zip("windows-x64", "opencode.exe"),
    "win32-x64-baseline": zip("windows-x64-baseline", "opencode.exe"),
    "win32-arm64": zip("windows-arm64", "opencode.exe"),
  },
  hosts: [githubReleases("anomalyco/opencode")],
};

function tar(target: string): VendorFile {
  return { target, file: `opencode-${target}.tar.gz`, archive: { kind: "tgz", strip: 0 }, binary: "opencode" };
}

function zip(target: string, binary = "opencode"): VendorFile {
  return { target, file: `opencode-${target}.zip`, archive: { kind: "zip", strip: 0 }, binary };
}
