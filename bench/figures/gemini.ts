import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say, startModel } from "@sandbox-agent-ts/testing/model";
import { compare, type Figure } from "../figure.ts";
import { agentProgram } from "../support/agent-program.ts";
import { BareGemini } from "../support/bare-gemini.ts";
import { startCli, temporaryDirectory } from "../support/child-server.ts";
import { laterTurns, newSession } from "./real-agents.ts";

const answer = { conversations: [{ when: {}, steps: [{ ...say("Hello from the model."), repeat: 1_000_000 }] }] };

const settings = {
  model: { name: "gemini-3.8-flash" },
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

export const gemini: Figure = {
  name: "gemini",
  work: "Gemini CLI, real, against a scripted model",
  measure: async ({ rounds }) => {
    const program = await agentProgram("gemini");
    const model = await startModel({ script: answer });
    const home = homeWithSettings();
    const directory = temporaryDirectory();
    const env = {
      PATH: process.env.PATH!,
      GOOGLE_GEMINI_BASE_URL: model.geminiUrl,
      GEMINI_API_KEY: "scripted",
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    };
    const daemon = await startCli({ ...env, HOME: home, SANDBOX_AGENT_GEMINI_BIN: program });
    try {
      const open = async () => {
        const bare = new BareGemini(program, { ...env, HOME: homeWithSettings() }, directory);
        await bare.open();
        return { bare, session: await newSession(daemon, "gemini", directory) };
      };
      const later = await laterTurns(open, { pairs: rounds, turns: 8 });
      return [compare("a later turn", "ms", "bare ACP process", later, { atMost: 1.1 })];
    } finally {
      await daemon.stop();
      await model.close();
    }
  },
};

function homeWithSettings(): string {
  const home = temporaryDirectory();
  mkdirSync(join(home, ".gemini"));
  writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
  return home;
}
