import { z } from "zod";
import { ModelStep } from "./model-step.ts";
import { RequestMatcher } from "./request-matcher.ts";

const Conversation = z.strictObject({
  name: z.string().min(1).optional(),
  when: RequestMatcher.optional(),
  steps: z.array(ModelStep).min(1),
});

/** Requests an agent makes beside the conversation (titles, routing, probes): always the same answer, no step is used. */
export const SideRequest = z.strictObject({
  name: z.string().min(1),
  when: RequestMatcher,
  answer: ModelStep,
});
export type SideRequest = z.infer<typeof SideRequest>;

export const ScriptFile = z
  .strictObject({
    /** For every request that no conversation below takes. */
    steps: z.array(ModelStep).min(1).optional(),
    conversations: z.array(Conversation).min(1).optional(),
    sideRequests: z.array(SideRequest).optional(),
    /** Whether the side requests of the agents we know are recognised; true unless told otherwise. */
    knownSideRequests: z.boolean().optional(),
    /** What a request gets for which the script has nothing: a clear error (default), its own words, or this step. */
    fallback: z.union([z.enum(["fail", "echo"]), ModelStep]).optional(),
  })
  .refine(
    ({ steps, conversations, fallback }) => steps ?? conversations ?? fallback,
    "needs `steps`, `conversations` or a `fallback`",
  );

/** What the model will say: a list of steps, or an object with several conversations. Plain data, so JSON can hold it. */
export type ModelScript = z.input<typeof ScriptFile> | readonly ModelStep[];
export type ParsedScript = z.infer<typeof ScriptFile>;
