import { exitCode } from "./exit-code.ts";
import { isForPrograms, readInvocation } from "./invocation.ts";
import { terminalOf } from "./output/terminal.ts";
import { reportFailure } from "./report-failure.ts";
import { version } from "./version.ts";

/** Run one command line to its end; answers the exit code. Each path loads only what it needs. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await dispatch(args);
  } catch (error) {
    const { isTerminal, paint, columns } = terminalOf(process.stderr);
    const isForPeople = isTerminal && !isForPrograms(args);
    return reportFailure(error, { write: (text) => process.stderr.write(text), isForPeople, paint, columns });
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const invocation = readInvocation(args);
  if (invocation.kind === "server") {
    const { runServer } = await import("./server/run-server.ts");
    return runServer(invocation.flags);
  }
  if (invocation.kind === "version") {
    console.log(version);
    return exitCode.ok;
  }
  const { runProgram } = await import("./program.ts");
  return runProgram(invocation.args);
}
