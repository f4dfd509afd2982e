import { githubReleases, type VendorFile, type VendorReleases } from "../../install/sources/vendor-releases.ts";

const base = "https://releases.openai.com/codex";

/** The program with what it starts itself, not the program alone. */
export const releases: VendorReleases = {
  files: {
    "linux-x64": file("x86_64-unknown-linux-musl"),
    "linux-x64-musl": file("x86_64-unknown-linux-musl"),
    "linux-arm64": file("aarch64-unknown-linux-musl"),
    "linux-arm64-musl": file("aarch64-unknown-linux-musl"),
    "darwin-x64": file("x86_64-apple-darwin"),
    "darwin-arm64": file("aarch64-apple-darwin"),
    "win32-x64": file("x86_64-pc-windows-msvc", "codex.exe"),
    "win32-arm64": file("aarch64-pc-windows-msvc", "codex.exe"),
  },
  hosts: [
    {
      newest: { kind: "release", url: `${base}/channels/latest`, prefix: "rust-v" },
      url: `${base}/releases/{version}/{file}`,
      checksum: { kind: "release", url: `${base}/releases/{version}/release.json` },
    },
    githubReleases("openai/codex", { prefix: "rust-v", sums: "codex-package_SHA256SUMS" }),
  ],
};

function file(target: string, binary = "codex"): VendorFile {
  const archive = { kind: "tgz", strip: 0 } as const;
  return { target, file: `codex-package-${target}.tar.gz`, archive, binary: `bin/${binary}` };
}
