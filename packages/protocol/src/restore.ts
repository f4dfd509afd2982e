import { z } from "zod";
import { UniversalEvent } from "./universal-event.ts";

const RestoredEvents = z.object({ events: z.array(UniversalEvent).describe("Of any agent, in order") });

const RestoredFiles = z.object({
  nativeSessionId: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/, "has 1 to 200 letters, digits or any of _ . : -")
    .describe("The agent's own id of the conversation"),
  transcript: z
    .array(
      z.object({
        path: z.string().min(1).max(1000).describe("Under the directory in which the agent keeps its things"),
        text: z.string(),
      }),
    )
    .min(1)
    .max(1000),
});

export const RestoreRequest = z.union([RestoredEvents, RestoredFiles]).meta({
  id: "RestoreRequest",
  description: "A conversation that happened elsewhere: its events, or the agent's own files",
});
export type RestoreRequest = z.infer<typeof RestoreRequest>;
