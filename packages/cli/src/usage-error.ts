/** The command line itself is wrong: said in plain words on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
