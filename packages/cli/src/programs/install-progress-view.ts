import type { Writable } from "node:stream";
import type { InstallProgress } from "@sandbox-agent-ts/agents/install";
import type { AgentInstallProgress } from "@sandbox-agent-ts/sdk";
import { byteText } from "../output/number-text.ts";
import { terminalOf } from "../output/terminal.ts";
import { shorten } from "../output/text-width.ts";

/** Often enough to look smooth, seldom enough to cost nothing. */
const REDRAW_MS = 100;
const BAR_WIDTH = 24;
const CLEAR_LINE = "\r\u001B[K";

const verbs: Readonly<Record<InstallProgress["step"], string>> = {
  wait: "waiting for another installation",
  registry: "looking for the registry",
  resolve: "looking for the package",
  download: "downloading",
  unpack: "unpacking",
  verify: "trying it out",
  store: "storing",
};

/** Shows what an installation does. */
export interface InstallProgressView {
  show(progress: InstallProgress): void;
  /** Takes away what is not to stay. */
  end(): void;
}

/** Shows what a daemon says of an installation, on stderr. */
export async function showingProgress<Result>(
  install: (onProgress: (progress: AgentInstallProgress) => void) => Promise<Result>,
  view: InstallProgressView = installProgressView(process.stderr),
): Promise<Result> {
  try {
    return await install((progress) => view.show(withoutNulls(progress)));
  } finally {
    view.end();
  }
}

function withoutNulls({ program, version, step, package: part, bytes, total }: AgentInstallProgress): InstallProgress {
  const known = { ...(part && { package: part }), ...(bytes != null && { bytes }), ...(total != null && { total }) };
  return { program, version, step, ...known };
}

/** A line that is drawn again and again in a terminal; in a pipe or log a line for each step and each quarter. */
export function installProgressView(stream: Writable, env: NodeJS.ProcessEnv = process.env): InstallProgressView {
  const { isTerminal } = terminalOf(stream);
  return isTerminal && env.TERM !== "dumb" ? barView(stream) : lineView(stream);
}

function barView(stream: Writable): InstallProgressView {
  const { columns, paint } = terminalOf(stream);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let shown = "";
  return {
    show(progress) {
      const now = performance.now();
      if (shown === keyOf(progress) && now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      shown = keyOf(progress);
      const text = [nameOf(progress), verbs[progress.step], bar(progress), amount(progress)].filter(Boolean).join("  ");
      stream.write(CLEAR_LINE + paint("cyan", shorten(text, columns - 1)));
    },
    end() {
      if (shown !== "") stream.write(CLEAR_LINE);
      shown = "";
    },
  };
}

function lineView(stream: Writable): InstallProgressView {
  let shown = "";
  return {
    show(progress) {
      const key = `${keyOf(progress)} ${quarterOf(progress)}`;
      if (key === shown) return;
      shown = key;
      const about = progress.package === undefined ? "" : ` ${progress.package}`;
      const done = amount(progress);
      stream.write(`${nameOf(progress)}: ${verbs[progress.step]}${about}${done && ` (${done})`}\n`);
    },
    end() {},
  };
}

const nameOf = ({ program, version }: InstallProgress): string => `${program} ${version}`;
const keyOf = ({ program, step, package: part }: InstallProgress): string => [program, step, part].join(" ");

function quarterOf({ step, bytes = 0, total }: InstallProgress): number {
  return step === "download" && total ? Math.floor((4 * bytes) / total) : 0;
}

function bar({ bytes, total }: InstallProgress): string {
  if (bytes === undefined || !total) return "";
  const full = Math.round(BAR_WIDTH * Math.min(1, bytes / total));
  return `${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)} ${String(Math.floor((100 * bytes) / total)).padStart(3)} %`;
}

function amount({ step, bytes, total }: InstallProgress): string {
  if (step !== "download" || bytes === undefined) return "";
  return total === undefined ? byteText(bytes) : `${byteText(bytes)} of ${byteText(total)}`;
}
