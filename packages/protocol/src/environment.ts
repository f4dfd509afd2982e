import { z } from "zod";

/** The variable by which the daemon knows its agents' processes; nobody else sets it. */
const reserved = "SANDBOX_AGENT_PROCESS";

const name = z
  .string()
  .regex(
    new RegExp(`^(?!${reserved}$)[^=\\u0000]+$`),
    `A name is not empty, has no "=" or NUL, and is not ${reserved}`,
  );
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is refused
const value = z.string().regex(/^[^\u0000]*$/, "A value has no NUL");

/** Variables as a program can be given them. What is refused is told without its value, which may be a secret. */
export const EnvironmentVariables = z.record(name, value);
