import type { AgentProgram, NpmPackage } from "../../install/agent-program.ts";
import { releases } from "./releases.ts";

/** One package per platform with the program itself in it; the launcher of the main package is not needed. */
export const program: AgentProgram = {
  name: "opencode",
  version: "1.18.33",
  signIn: {
    login: { args: ["auth", "login"] },
    variables: [
      "OPENCODE_API_KEY",
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "GEMINI_API_KEY",
      "GOOGLE_GENERATIVE_AI_API_KEY",
      "OPENROUTER_API_KEY",
    ],
    set: "the key of the model's provider, e.g. ANTHROPIC_API_KEY",
  },
  source: {
    kind: "npm",
    packages: {
      "linux-x64": platformPackage("linux-x64"),
      "linux-x64-baseline": platformPackage("linux-x64-baseline"),
      "linux-x64-musl": platformPackage("linux-x64-musl"),
      "linux-x64-musl-baseline": platformPackage("linux-x64-baseline-musl"),
      "linux-arm64": platformPackage("linux-arm64"),
      "linux-arm64-musl": platformPackage("linux-arm64-musl"),
      "darwin-x64": platformPackage("darwin-x64"),
      "darwin-x64-baseline": platformPackage("darwin-x64-baseline"),
      "darwin-arm64": platformPackage("darwin-arm64"),
      "win32-x64": platformPackage("windows-x64", "opencode.exe"),
      "win32-x64-baseline": platformPackage("windows-x64-baseline", "opencode.exe"),
      "win32-arm64": platformPackage("windows-arm64", "opencode.exe"),
    },
  },
  vendor: releases,
};

function platformPackage(suffix: string, binary = "opencode"): NpmPackage {
  return { name: `opencode-${suffix}`, binary: `bin/${binary}` };
}
