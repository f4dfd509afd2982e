import type { Provocation, ProvokingMessage } from "../agent-scenario.ts";
import { mcpServerConfig } from "../contract-fixtures.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { followed, using } from "./using.ts";

/** A web page that is never fetched: the request is rejected. */
const page = "https://example.com/lighthouse";

/** So long that a title for people has only its beginning and its end. */
const lampIn = (place: string) => `lighthouses/${place}/of-the-northern-and-the-southern-coast-of-alexandria`;

/** What a request for permission says about the use of each kind of tool, and what becomes of its answer. */
export function permissionRequests(tools: ScriptedTools) {
  const { shellThatAsks, readFile, writeFile, editFile, deleteFile, moveFile, fetchPage, callMcpTool } = tools;
  const config = (message: string, place: string): Provocation =>
    using(writeFile, (write) => ({
      message,
      script: [...write(`${place}/config.txt`, "light = on\n"), { text: "Configured." }],
      creates: `${place}/config.txt`,
    }));
  return {
    permissionAlwaysFile: followed(
      config("Configure the first lamp.", lampIn("first")),
      config("Configure the second lamp.", lampIn("second")),
    ),
    permissionReason: using(shellThatAsks, (run) => ({
      message: "Make a file, or hear why not.",
      script: [...run("touch explained"), { text: "I see." }],
      creates: "explained",
    })),
    permissionRemembered: using(shellThatAsks, (run) => ({
      message: "Make a file again and again.",
      script: [...run("touch again"), { text: "Made." }],
      creates: "again",
      requests: { kind: "execute", command: "touch again" },
    })),
    permissionEdit: using(editFile, (edit) => ({
      message: "Correct the logbook.",
      files: { "logbook.txt": "Monday\nNo shipz.\nTuesday\n" },
      script: [...edit("logbook.txt", "No shipz.", "No ships."), { text: "Corrected." }],
      leaves: { "logbook.txt": "Monday\nNo ships.\nTuesday\n" },
      requests: { kind: "edit", files: ["logbook.txt"], diff: ["-No shipz.", "+No ships."] },
    })),
    permissionDelete: using(deleteFile, (remove) => ({
      message: "Throw the old map away.",
      files: { "map.txt": "Here be dragons.\n" },
      script: [...remove("map.txt"), { text: "Thrown away." }],
      requests: { kind: "delete", files: ["map.txt"] },
    })),
    permissionMove: using(moveFile, (move) => ({
      message: "Rename the chart.",
      files: { "chart.txt": "Deep water.\n" },
      script: [...move("chart.txt", "old-chart.txt", "Deep water."), { text: "Renamed." }],
      requests: { kind: "move", files: ["chart.txt", "old-chart.txt"] },
    })),
    policyRead: using(readFile, (read) => ({
      message: "Read the keeper's diary.",
      files: { "diary.txt": "Rain again.\n" },
      session: { asksEverything: true },
      script: [...read("diary.txt"), { text: "Private." }],
      requests: { kind: "read", files: ["diary.txt"] },
    })),
    permissionExecute: using(shellThatAsks, (run) => ({
      message: "Light the lamp.",
      script: [...run("touch lamp && echo 'the lamp burns'"), { text: "Lit." }],
      creates: "lamp",
      results: "the lamp burns",
      requests: { kind: "execute", command: "touch lamp && echo 'the lamp burns'" },
    })),
    permissionFetch: using(fetchPage, (fetch) => ({
      message: "Look at the page.",
      script: [...fetch(page), { text: "Not today." }],
      requests: { kind: "fetch", url: page },
    })),
    permissionMcp: using(
      callMcpTool,
      (call): ProvokingMessage => ({
        message: "Whisper, if you may.",
        session: { mcp: { contract: mcpServerConfig } },
        script: [...call("contract", "whisper", { text: "LAND AHEAD" }), { text: "Whispered." }],
        results: "land ahead",
        requests: { kind: "mcp", mcp: { server: "contract", tool: "whisper" } },
      }),
    ),
    policyMcp: using(
      callMcpTool,
      (call): ProvokingMessage => ({
        message: "Shout, if the rules let you.",
        session: { asksEverything: true, mcp: { contract: mcpServerConfig } },
        script: [...call("contract", "shout", { text: "land ahead" }), { text: "Not today." }],
        requests: { kind: "mcp", mcp: { server: "contract", tool: "shout" } },
      }),
    ),
  } satisfies Record<string, Provocation>;
}
