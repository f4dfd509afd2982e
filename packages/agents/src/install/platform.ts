import type { Platform } from "./agent-program.ts";

let known: string | undefined;

/** The platform this process runs on; one that no program is made for has a name too. */
export function currentPlatform(): Platform {
  known ??= `${process.platform}-${process.arch}${process.platform === "linux" && isMusl() ? "-musl" : ""}`;
  return known as Platform;
}

/** Node's report names the version of glibc, if that is what this Node runs on. */
function isMusl(): boolean {
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  const { excludeNetwork } = report;
  // Without this the report looks up the name of every address, which can take seconds.
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  report.excludeNetwork = excludeNetwork ?? false;
  return header?.glibcVersionRuntime === undefined;
}
