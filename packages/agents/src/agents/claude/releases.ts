import type { VendorFile, VendorReleases } from "../../install/sources/vendor-releases.ts";

const base = "https://downloads.claude.ai/claude-code-releases";
const manifest = `${base}/{version}/manifest.json`;

/** The key that the program itself checks its updates with. */
const publicKey = `-----BEGIN PUBLIC KEY-----
MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEAp28rSV5I8HmK8CK9GixB
UZR/gtJxeOCsRXO4EJiej40jzBmQA3cWXGosVO82ZfFsRKVTtMC5iB/HH9sxjncr
mYNWGroJNbx29m/FgYQBgkCXT4AfFl6rnnXqRGLZOerj/4AqE4yQ1GZbhBgR55Z7
ro0ieKK8RHYUspBKAFHyWRhCCz6THW6YRbf0p/hG/08TOY6Sj3cJ7/AEoTRf9ZmV
NX1k0KvbUSiVGpGY9OIHWgxRJUF2pArU4o/hk+sqGAgEUh8Bjvjwvz6+quLXPg+y
0Y8Ugb1Fg6BUppam/zydYY/Q/+yNjnuF154gD1jEeeir8R5czs6zUHSbo2yXUpAs
IdWYo5End8vGsluVmFExnUWm/fTVMGoM5Wm3v1VRepMydEnJ+atz4oQdmPQcKNAi
p5GJO2uyk++xFr9CpKvlR5jral92toYV/m+mur3va8ydamWBo/qG7/wt0sdS81Iw
H6lcu0SQ39rgKD+bdoPLv05EqVMYTFRI2QZEsWGYTMs0DOrfCIJFH50qyD0x4sWw
1gEWeG3jDgY8cj2StZz+zjqzUd05CibcCzEAGm1EQg5y9D40tIsAU1OI7bpgQ9V0
lC8lrqE7zJY66UK9Z1daA8jrdDi6migNjHFrXfT3V4QvMthCIO05q05SS3x2G3Zp
IgmI+CePUPB1pDf+lhPkU1MCAwEAAQ==
-----END PUBLIC KEY-----`;

export const releases: VendorReleases = {
  files: {
    "linux-x64": file("linux-x64"),
    "linux-x64-musl": file("linux-x64-musl"),
    "linux-arm64": file("linux-arm64"),
    "linux-arm64-musl": file("linux-arm64-musl"),
    "darwin-x64": file("darwin-x64"),
    "darwin-arm64": file("darwin-arm64"),
    "win32-x64": file("win32-x64", "claude.exe"),
    "win32-arm64": file("win32-arm64", "claude.exe"),
  },
  hosts: [
    {
      newest: { kind: "text", url: `${base}/latest` },
      url: `${base}/{version}/{target}/{file}`,
      checksum: {
        kind: "manifest",
        url: manifest,
        signature: { url: `${manifest}.raw-sig.json`, prefix: "claude-code-manifest-v1\0", publicKey },
      },
    },
  ],
};

function file(target: string, binary = "claude"): VendorFile {
  return { target, file: binary, archive: { kind: "raw" }, binary };
}
