import { z } from "zod";
import { UniversalEvent } from "../universal-event.ts";

export interface SchemaViolation {
  /** Where in the list. */
  readonly index: number;
  readonly rule: "schema";
  readonly message: string;
}

/** Which of these values are not events as the schema has them. Apart from `checkStream` because it needs zod. */
export function checkSchema(events: Iterable<unknown>): SchemaViolation[] {
  const violations: SchemaViolation[] = [];
  let index = 0;
  for (const event of events) {
    const { error } = UniversalEvent.safeParse(event);
    if (error) violations.push({ index, rule: "schema", message: z.prettifyError(error) });
    index += 1;
  }
  return violations;
}
