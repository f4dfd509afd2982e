import type { AgentScenario } from "../agent-scenario.ts";
import { boundaries } from "./boundaries.ts";
import { failures } from "./failures.ts";
import { givenThings } from "./given-things.ts";
import { people } from "./people.ts";
import { permissionRequests } from "./permission-requests.ts";
import { profiles } from "./profiles.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { sessions } from "./sessions.ts";
import { stops } from "./stops.ts";
import { toolUses } from "./tool-uses.ts";
import { turns } from "./turns.ts";

/**
 * The provocations of an agent whose model is scripted, from its tools and the name of a model that is not its default:
 * all but `sessionEnd`, which no model can cause.
 */
export function scriptedFeatures(
  tools: ScriptedTools,
  otherModel: string,
): Omit<AgentScenario["provoke"], "sessionEnd"> {
  return {
    ...turns(tools),
    ...toolUses(tools),
    ...people(tools),
    ...boundaries(tools),
    ...permissionRequests(tools),
    ...givenThings(tools, otherModel),
    ...stops(tools),
    ...sessions,
    ...profiles(tools),
    ...failures,
  };
}
