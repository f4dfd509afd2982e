import type { AgentProgram, NpmPackage } from "../../install/agent-program.ts";
import { releases } from "./releases.ts";

/** One package per platform with the program itself in it; the launcher of the main package is not needed. */
export const program: AgentProgram = {
  name: "copilot",
  version: "1.0.102",
  signIn: {
    login: { args: ["login"], note: "Without a browser on this machine: sandbox-agent login copilot --device-code" },
    variables: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
  },
  modelService: { variable: "COPILOT_PROVIDER_BASE_URL", url: "https://api.githubcopilot.com" },
  source: {
    kind: "npm",
    packages: {
      "linux-x64": platformPackage("linux-x64"),
      "linux-x64-musl": platformPackage("linuxmusl-x64"),
      "linux-arm64": platformPackage("linux-arm64"),
      "linux-arm64-musl": platformPackage("linuxmusl-arm64"),
      "darwin-x64": platformPackage("darwin-x64"),
      "darwin-arm64": platformPackage("darwin-arm64"),
      "win32-x64": platformPackage("win32-x64", "copilot.exe"),
      "win32-arm64": platformPackage("win32-arm64", "copilot.exe"),
    },
  },
  vendor: releases,
};

function platformPackage(suffix: string, binary = "copilot"): NpmPackage {
  return { name: `@github/copilot-${suffix}`, binary };
}
