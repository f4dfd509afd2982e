import { z } from "zod";
import { AgentProfile } from "../profile.ts";

export const ListedProfile = z
  .object({
    name: z.string().describe("What sessions name it by"),
    version: z.int().positive().optional().describe("The first is 1; absent where the application keeps the profile"),
    title: z.string().optional().describe("What the application calls it, where that is not its name"),
    description: z.string().optional(),
    updatedAt: z.int().optional().describe("Epoch milliseconds; absent where the application keeps the profile"),
  })
  .meta({ id: "ListedProfile", description: "A profile that sessions can be given, without what is in it" });
export type ListedProfile = z.infer<typeof ListedProfile>;

export const ProfileListResponse = z
  .object({ profiles: z.array(ListedProfile).describe("The newest version of each, by name") })
  .meta({ id: "ProfileListResponse" });
export type ProfileListResponse = z.infer<typeof ProfileListResponse>;

export const RuntimeProfile = ListedProfile.extend({
  reference: z
    .string()
    .describe("`name@version`: what a session is given to have exactly this one; of the application's, the name"),
  profile: AgentProfile.describe("Values of secrets are `[hidden]`"),
}).meta({ id: "RuntimeProfile", description: "A version of a profile" });
export type RuntimeProfile = z.infer<typeof RuntimeProfile>;
