import { sandboxVariable } from "./sandbox-processes.ts";

/** What a program needs to know of the machine. Everything else may be a secret of whoever runs the runtime. */
const fromTheMachine = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;

export interface SandboxEnvironment {
  readonly id: string;
  readonly home: string;
  readonly path: string;
  readonly temporary: string;
  /** Of the sandbox, then of the start; a later one wins. */
  readonly given: readonly Readonly<Record<string, string>>[];
}

export function sandboxEnvironment(
  { id, home, path, temporary, given }: SandboxEnvironment,
  machine: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const known = Object.entries(machine).filter(
    (entry): entry is [string, string] => fromTheMachine.test(entry[0]) && entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(known),
    PATH: path,
    TMPDIR: temporary,
    SHELL: "/bin/sh",
    USER: "agent",
    LOGNAME: "agent",
    ...Object.assign({}, ...given),
    HOME: home,
    [sandboxVariable]: id,
  };
}
