import type { AgentProgram, NpmPackage } from "../../install/agent-program.ts";
import { releases } from "./releases.ts";

const VENDOR = "vendor";

/** One package per platform with the program itself in it; the launcher of the main package is not needed. */
export const program: AgentProgram = {
  name: "codex",
  version: "0.169.0",
  signIn: {
    login: { args: ["login"], note: "Without a browser on this machine: sandbox-agent login codex --device-auth" },
    variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  },
  source: {
    kind: "npm",
    packages: {
      "linux-x64": platformPackage("linux-x64", "x86_64-unknown-linux-musl"),
      "linux-x64-musl": platformPackage("linux-x64", "x86_64-unknown-linux-musl"),
      "linux-arm64": platformPackage("linux-arm64", "aarch64-unknown-linux-musl"),
      "linux-arm64-musl": platformPackage("linux-arm64", "aarch64-unknown-linux-musl"),
      "darwin-x64": platformPackage("darwin-x64", "x86_64-apple-darwin"),
      "darwin-arm64": platformPackage("darwin-arm64", "aarch64-apple-darwin"),
      "win32-x64": platformPackage("win32-x64", "x86_64-pc-windows-msvc", "codex.exe"),
      "win32-arm64": platformPackage("win32-arm64", "aarch64-pc-windows-msvc", "codex.exe"),
    },
  },
  vendor: releases,
};

function platformPackage(suffix: string, target: string, binary = "codex"): NpmPackage {
  return { name: "@openai/codex", version: `{version}-${suffix}`, binary: `${VENDOR}/${target}/bin/${binary}` };
}
