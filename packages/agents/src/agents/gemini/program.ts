import type { AgentProgram } from "../../install/agent-program.ts";

/** One bundle. What it would like to have besides (a pseudo-terminal, the keys of the desktop) it does without. */
export const program: AgentProgram = {
  name: "gemini",
  version: "0.61.0",
  signIn: {
    login: { args: [], note: "Choose how to sign in in the dialog that opens; /auth shows it again, /quit ends it." },
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
  modelService: { variable: "GOOGLE_GEMINI_BASE_URL", url: "https://generativelanguage.googleapis.com" },
  source: { kind: "npm-node", package: "@google/gemini-cli", entry: "bundle/gemini.js" },
};
