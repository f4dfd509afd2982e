import { z } from "zod";

// `SANDBOX_AGENT_PROCESS` is how the daemon knows its agents' processes; nobody else sets it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is refused
const namePattern = /^(?!SANDBOX_AGENT_PROCESS$)[^=\u0000]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is refused
const valuePattern = /^[^\u0000]*$/;

const name = z.string().regex(namePattern, 'A name is not empty, has no "=" or NUL, and is not SANDBOX_AGENT_PROCESS');
const value = z.string().regex(valuePattern, "A value has no NUL");

/** Variables as a program can be given them. What is refused is told without its value, which may be a secret. */
export const EnvironmentVariables = z.record(name, value);
