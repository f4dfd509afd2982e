/** One thing that was looked at. A `problem` stops a daemon or an agent from working, a `warning` may. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem" | "unchecked";
  /** What was found, as a sentence without its name. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}
