import { z } from "zod";
import { AgentProfile } from "../profile.ts";

export const ListedProfile = z
  .object({
    name: z.string(),
    version: z.int().positive().describe("The first is 1"),
    description: z.string().optional(),
    updatedAt: z.int().describe("Epoch milliseconds"),
  })
  .meta({ id: "ListedProfile", description: "A profile of a runtime, without what is in it" });
export type ListedProfile = z.infer<typeof ListedProfile>;

export const ProfileListResponse = z
  .object({ profiles: z.array(ListedProfile).describe("The newest version of each, by name") })
  .meta({ id: "ProfileListResponse" });
export type ProfileListResponse = z.infer<typeof ProfileListResponse>;

export const RuntimeProfile = ListedProfile.extend({
  reference: z.string().describe("`name@version`: what a session is given to have exactly this one"),
  profile: AgentProfile.describe("Values of secrets are `[hidden]`"),
}).meta({ id: "RuntimeProfile", description: "A version of a profile" });
export type RuntimeProfile = z.infer<typeof RuntimeProfile>;
