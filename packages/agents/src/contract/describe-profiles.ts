import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { profileEntities } from "@sandbox-agent-ts/protocol";
import { afterAll, describe, expect, test } from "vitest";
import type { SessionConfig } from "../agent.ts";
import { removeSessionFolders } from "../files/session-folders.ts";
import { expandCommand } from "../profile/expand-command.ts";
import { type PreparedProfile, prepareProfile } from "../profile/prepare-profile.ts";
import { removeProfileFiles } from "../profile/profile-files.ts";
import { profileLosses } from "../profile/profile-losses.ts";
import { profileSupport } from "../profile/profile-support.ts";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import { AgentHarness, type HarnessTurn } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { eventually } from "./eventually.ts";
import { expectModelSaw, expectProvoked, requestsAbout, requestText } from "./expect-provoked.ts";
import { type ProfileFeature, profileFeatures } from "./profile-features.ts";
import {
  profileCommandLine,
  profilePrompt,
  profileTask,
  profileTexts,
  profileWithEverything,
} from "./profile-fixture.ts";
import { assistantText, toolOutputs } from "./stream-readers.ts";

const CLOSE_TIMEOUT_MS = 60_000;

interface Played {
  readonly harness: AgentHarness;
  readonly prepared: PreparedProfile;
  readonly turn: HarnessTurn;
}

type Check = (played: Played, by: ProvokingMessage) => void | Promise<void>;

/** Every part of a profile is either seen by the agent or named among its losses. One session plays for all of them. */
export function describeProfiles(contract: AgentContract): void {
  const { provoke } = contract.scenario;
  const hookLog = () => join(contract.world.host.dataDir, "hooks.log");
  let playing: Promise<Played> | undefined;

  async function play(by: ProvokingMessage): Promise<Played> {
    const { host, session } = contract.world;
    const own: Partial<SessionConfig> = { ...session, ...by.session };
    const sessionId = "contract-profile";
    const directory = await contract.world.makeDirectory({});
    const target = { adapter: contract.adapter, host, sessionId, directory, own };
    const prepared = await prepareProfile(profileWithEverything(hookLog()), target);
    const config = { ...own, sessionId, directory, ...prepared.session };
    const harness = await AgentHarness.open(contract.adapter, config, { host });
    const turn = await promptWith(harness, { message: expandCommand(profileCommandLine, prepared.commands) });
    expectProvoked(turn, {} as ProvokingMessage);
    return { harness, prepared, turn };
  }

  const model = (message: string, ...texts: string[]) => expectModelSaw(contract.world.model, message, ...texts);
  const printed = ({ turn }: Played, text: string) => expect(toolOutputs(turn.events).join("\n")).toContain(text);

  const checks: Record<ProfileFeature, Check> = {
    profileSystemPrompt: ({ harness }) => {
      model(profilePrompt, profileTexts.systemPrompt);
      expectSound(harness);
    },
    profileInstructions: () => model(profilePrompt, profileTexts.instructions),
    profileSkill: (played) => {
      model(profilePrompt, profileTexts.skill);
      printed(played, profileTexts.skillFile);
    },
    profileSubagent: ({ turn }) => {
      const asked = contract.world.model ? requestsAbout(contract.world.model, profileTask) : [];
      const answers = toolOutputs(turn.events).join("\n");
      expect(asked.map(requestText).join("\n"), `asked by the subagent; ${answers}`).toContain(profileTexts.subagent);
    },
    profileCommand: ({ turn }, { replies = "" }) => {
      model(profilePrompt, profilePrompt);
      expect(assistantText(turn.events)).toContain(replies);
    },
    profileMcp: (played) => printed(played, profileTexts.mcp),
    profileEnvironment: (played) => printed(played, profileTexts.environment),
    profileSecrets: (played) => printed(played, profileTexts.secret),
    profileFiles: async (played) => {
      if (toolOutputs(played.turn.events).length > 0) printed(played, profileTexts.file);
      expect(await readFile(join(played.harness.directory, "keeper/log.txt"), "utf8")).toBe(profileTexts.file);
    },
    profileHooks: async ({ harness }) => {
      const { text } = provoke;
      await harness.reopen({ permissionMode: "default" });
      const before = (await hooksRun()).length;
      if (!("skip" in text)) await promptWith(harness, text);
      expect((await hooksRun()).length, "also where the agent asks").toBeGreaterThan(before);
      await harness.close();
      const declared = [...profileSupport(contract.adapter).hookEvents].sort();
      await eventually(async () => expect([...new Set(await hooksRun())].sort()).toEqual(declared));
    },
    profileRemoved: async ({ harness, prepared }) => {
      const { directory } = harness;
      await promisify(execFile)("git", ["init", "--quiet"], { cwd: directory });
      await harness.close();
      await removeProfileFiles(directory, prepared.placed);
      await removeSessionFolders(contract.world.host.dataDir, "contract-profile");
      const status = await promisify(execFile)("git", ["status", "--porcelain"], { cwd: directory });
      expect(status.stdout, "the user's directory").toBe("");
      expect(await filesWith(contract.world.host.dataDir, profileTexts.instructions), "our own directory").toEqual([]);
    },
  };

  async function hooksRun(): Promise<string[]> {
    return (await readFile(hookLog(), "utf8").catch(() => "")).split("\n").filter(Boolean);
  }

  describe("is given a profile and", () => {
    afterAll(async () => (await playing?.catch(() => undefined))?.harness.dispose(), CLOSE_TIMEOUT_MS);

    for (const [name, check] of Object.entries(checks) as [ProfileFeature, Check][]) {
      contract.feature(name, async (by) => {
        playing ??= play(by);
        await check(await playing, by);
      });
    }

    test("names as lost exactly what it does not show", () => {
      const losses = profileLosses(contract.adapter, profileWithEverything("/nowhere"));
      const lost = new Set(losses.filter(({ name }) => !name).map(({ entity }) => entity));
      const skipped = profileEntities.filter((entity) => "skip" in provoke[profileFeatures[entity]]);
      expect([...lost].sort()).toEqual(skipped.sort());
    });
  });
}

/** The files of ours that have this text in them, wherever links lead. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)));
  return files.filter((_, at) => found[at]);
}
