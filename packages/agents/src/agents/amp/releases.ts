import type { VendorFile, VendorReleases } from "../../install/sources/vendor-releases.ts";

const base = "https://static.ampcode.com/cli";

export const releases: VendorReleases = {
  files: {
    "linux-x64": file("linux-x64"),
    "linux-x64-baseline": file("linux-x64-baseline"),
    "linux-arm64": file("linux-arm64"),
    "darwin-x64": file("darwin-x64"),
    "darwin-arm64": file("darwin-arm64"),
    "win32-x64": file("windows-x64", ".exe"),
  },
  hosts: [
    {
      newest: { kind: "text", url: `${base}/cli-version.txt` },
      url: `${base}/{version}/{file}`,
      checksum: { kind: "bare", url: `${base}/{version}/{target}-amp.sha256` },
    },
  ],
};

function file(target: string, end = ""): VendorFile {
  return { target, file: `amp-${target}${end}`, archive: { kind: "raw" }, binary: `amp${end}`, isGzipped: true };
}
