import { type Box, type BoxLife, Box as BoxObject, type Outcome } from "./box.ts";
import { BoxError, type Boxes, type BoxState, type NewBox, refusals } from "./boxes.ts";
import { Registry } from "./registry.ts";
import { serve } from "./router.ts";

export { BoxObject as Box, Registry };

export interface Env {
  readonly BOX: DurableObjectNamespace<Box>;
  readonly REGISTRY: DurableObjectNamespace<Registry>;
  /** Who has it may do everything: `npx wrangler secret put SANDBOX_AGENT_KEY`. */
  readonly SANDBOX_AGENT_KEY?: string;
}

export default {
  fetch: (request: Request, env: Env) => serve(request, boxesOf(env), env.SANDBOX_AGENT_KEY),
};

/** Each box is an object with a container; which there are is in the registry. */
function boxesOf({ BOX, REGISTRY }: Env): Boxes {
  const registry = REGISTRY.get(REGISTRY.idFromName("registry"));
  const box = (id: string) => BOX.get(BOX.idFromName(id));

  async function known(id: string) {
    const found = await registry.find(id);
    if (found === undefined) throw new BoxError(refusals.unknown(id));
    if (found.endedWhy !== undefined) throw new BoxError(refusals.gone(id, found.endedWhy));
    return found;
  }

  async function stateOf(id: string, outcome: Outcome<BoxLife>): Promise<BoxState | undefined> {
    const found = await registry.find(id);
    if (found === undefined) return undefined;
    const { labels, createdAt, endedWhy } = found;
    const life = endedWhy === undefined ? expected(outcome) : { state: "gone" as const, why: endedWhy };
    if (life.state === "gone") await registry.end(id, life.why ?? "It ended.");
    return { id, labels, createdAt, ...life };
  }

  return {
    async create(id, wanted: NewBox) {
      const found = await registry.add(id, wanted.labels);
      if (found.endedWhy !== undefined) throw new BoxError(refusals.gone(id, found.endedWhy));
      if (found.isEnding) throw new BoxError(refusals.gone(id));
      if (!sameLabels(found.labels, wanted.labels))
        throw new BoxError({ status: 409, code: "conflict", message: `There is a box "${id}" with other labels.` });
      const begun = await box(id).begin(id, wanted);
      if ("refusal" in begun) {
        await registry.giveUp(id, begun.refusal.message);
        throw new BoxError(begun.refusal);
      }
      const state = (await stateOf(id, begun))!;
      if (state.state === "gone") throw new BoxError(refusals.gone(id, state.why));
      return state;
    },
    async look(id) {
      const found = await registry.find(id);
      if (found === undefined) return undefined;
      return stateOf(id, found.endedWhy === undefined ? await box(id).look() : { value: { state: "gone" } });
    },
    list: async (query) => registry.list(query),
    async keep(id, ms) {
      await known(id);
      return (await stateOf(id, await box(id).keep(ms)))!;
    },
    async destroy(id) {
      const found = await registry.find(id);
      if (found?.endedWhy !== undefined) return;
      await registry.block(id);
      await box(id).end();
      await registry.end(id, "It was destroyed.");
    },
    async start(id, start) {
      await known(id);
      expected(await box(id).startDaemon(start));
    },
    async write(id, file) {
      await known(id);
      expected(await box(id).write(file));
    },
    async logs(id, maxBytes) {
      await known(id);
      return expected(await box(id).logs(maxBytes));
    },
    /** The box itself says that it is gone: the registry is one for all of them, and not asked with every request. */
    fetch: (id, _port, request) => box(id).fetch(request),
  };
}

function expected<T>(outcome: Outcome<T>): T {
  if ("refusal" in outcome) throw new BoxError(outcome.refusal);
  return outcome.value;
}

function sameLabels(first: NewBox["labels"], second: NewBox["labels"]): boolean {
  const keys = Object.keys(first);
  return keys.length === Object.keys(second).length && keys.every((key) => first[key] === second[key]);
}
