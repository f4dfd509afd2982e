import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Command } from "commander";
import { servesInspector } from "../background/serves-inspector.ts";
import { type ConnectionFlags, connectionOf } from "../client/connection.ts";
import { dataDirectory, type Environment } from "../data-dir.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { inspectorLink } from "../server/inspector-link.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

const OWNER_ONLY = 0o600;

export function addOpenCommand(program: Command, finish: Finish): void {
  const command = program
    .command("open")
    .description("Open the web inspector of the daemon in a browser")
    .option("--print", "only print the link, which lets in whoever has it")
    .addHelpText("after", examplesHelp(["open", "open --print"]));
  command.action(async ({ print }: { print?: true }) => {
    const flags = command.optsWithGlobals<ConnectionFlags & { json?: true }>();
    const out = new Output(process.stdout, { json: flags.json });
    const connection = connectionOf(flags, process.env);
    const link = inspectorLink(connection.baseUrl, connection.token);
    if (!(await servesInspector(connection.baseUrl))) throw noInspector(connection.place ?? connection.baseUrl);
    if (out.audience === "json") await out.json({ inspector: link });
    else if (print) await out.line(link);
    else if (await openInBrowser(link, dataDirectory(flags.dataDir, process.env)))
      await out.done(`Opened ${connection.baseUrl}/ui/.`);
    else await out.line(`There is no browser here to open. The link is:\n${link}`);
    finish(exitCode.ok);
  });
}

function noInspector(place: string): SandboxError {
  const advice = "Start a daemon with `sandbox-agent daemon start`, without --no-ui.";
  return new SandboxError("not_found", `No inspector is served at ${place}. ${advice}`);
}

/** Answers whether a browser could be asked. */
async function openInBrowser(link: string, dataDir: string): Promise<boolean> {
  const opener = openerOf(process.platform, process.env);
  if (opener === undefined) return false;
  const [command, ...args] = opener;
  const browser = spawn(command, [...args, addressFor(link, dataDir)], { detached: true, stdio: "ignore" });
  try {
    await once(browser, "spawn");
  } catch {
    return false;
  }
  browser.unref();
  return true;
}

/** Other users can read a process's arguments, so that a link with a token is followed from a page only we can read. */
function addressFor(link: string, dataDir: string): string {
  if (!link.includes("#token=")) return link;
  const page = join(dataDir, "open.html");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const html = `<!doctype html><meta http-equiv="refresh" content="0;url=${link}"><title>Sandbox Agent</title>\n`;
  writeFileSync(page, html, { mode: OWNER_ONLY });
  return pathToFileURL(page).href;
}

export function openerOf(platform: NodeJS.Platform, env: Environment): readonly [string, ...string[]] | undefined {
  if (env.BROWSER) return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}
