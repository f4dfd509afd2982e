import type { AgentProgram, ProgramSignIn } from "./agent-program.ts";

/** The program that is signed in for this one: itself, or the one it needs for that. */
export function signedInProgram(
  program: AgentProgram | undefined,
): (AgentProgram & { readonly signIn: ProgramSignIn }) | undefined {
  const candidates = program ? [program, ...(program.needs ?? [])] : [];
  for (const candidate of candidates) if (candidate.signIn) return { ...candidate, signIn: candidate.signIn };
  return undefined;
}

/** What to do when an agent is not signed in: the same for every agent, and only what works with the installed program. */
export function signInAdvice(program: AgentProgram | undefined): string {
  const owner = signedInProgram(program);
  if (!owner) return "Sign in with the program itself, or set its key for the session.";
  const set = `set ${owner.signIn.set ?? owner.signIn.variables[0]}`;
  return owner.signIn.login ? `Run \`${loginCommand(owner)}\`, or ${set}.` : `S${set.slice(1)}.`;
}

export const loginCommand = ({ name }: Pick<AgentProgram, "name">): string => `sandbox-agent login ${name}`;
