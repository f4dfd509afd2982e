import type { AgentProgram } from "../../install/agent-program.ts";
import { releases } from "./releases.ts";

/** Each platform's package holds one executable that needs no Node. */
export const program: AgentProgram = {
  name: "amp",
  version: "0.0.1790142911-g7618fb",
  versionPattern: /\d+\.\d+\.\d+-g[0-9a-f]+/,
  signIn: { login: { args: ["login"] }, variables: ["AMP_API_KEY"] },
  modelService: { variable: "AMP_URL", url: "https://ampcode.com" },
  source: {
    kind: "npm",
    packages: {
      "linux-x64": { name: "@ampcode/cli-linux-x64", binary: "amp" },
      "linux-arm64": { name: "@ampcode/cli-linux-arm64", binary: "amp" },
      "darwin-x64": { name: "@ampcode/cli-darwin-x64", binary: "amp" },
      "darwin-arm64": { name: "@ampcode/cli-darwin-arm64", binary: "amp" },
      "win32-x64": { name: "@ampcode/cli-win32-x64", binary: "amp.exe" },
    },
  },
  vendor: releases,
};
