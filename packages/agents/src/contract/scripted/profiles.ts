import type { Provocation, ProvokingMessage } from "../agent-scenario.ts";
import type { ModelStep } from "../model-script.ts";
import { profilePrompt, profileShellCommand, profileSkillFolder, profileTask } from "../profile-fixture.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { stepsOf, unasked, using } from "./using.ts";

/** What a session is given by a profile: one session and one turn for all of it, so one script. */
export function profiles(tools: ScriptedTools) {
  const { shell, openSkill, callMcpTool, startNamedSubagent, runsHooks } = tools;
  const told: ProvokingMessage = { message: profilePrompt, session: unasked };
  return {
    profileSystemPrompt: {
      ...told,
      script: [
        ...(openSkill ? stepsOf(openSkill, "beacon") : []),
        ...stepsOf(shell, profileShellCommand).map(inSkill),
        ...stepsOf(callMcpTool, "profile", "shout", { text: "ahoy from the profile" }),
        ...stepsOf(startNamedSubagent, "lamp-checker", profileTask),
        { text: "The lamp burns." },
      ],
      asides: [{ name: "profile (subagent)", when: { prompt: profileTask }, steps: [{ text: "All lamps burn." }] }],
    },
    profileInstructions: told,
    profileSkill: using(shell, () => told),
    profileSubagent: using(startNamedSubagent, () => told),
    profileCommand: told,
    profileMcp: using(callMcpTool, () => told),
    profileHooks: runsHooks === true ? told : runsHooks,
    profileEnvironment: using(shell, () => told),
    profileSecrets: using(shell, () => told),
    profileFiles: using(shell, () => told),
    profileRemoved: told,
  } satisfies Record<string, Provocation>;
}

function inSkill(step: ModelStep): ModelStep {
  return { ...step, capture: { ...step.capture, skill: profileSkillFolder } };
}
