import type { Json } from "./json.ts";

/** `GET /v1/models` is the same path in Anthropic's and OpenAI's API, so each entry has the fields of both. */
export function modelList(method: string, path: string, models: readonly string[]): Json | undefined {
  if (method !== "GET" || !path.endsWith("/v1/models")) return undefined;
  const data = models.map((id) => ({
    id,
    object: "model",
    created: 0,
    owned_by: "scripted",
    type: "model",
    display_name: id,
    created_at: "1970-01-01T00:00:00Z",
  }));
  return { object: "list", data, has_more: false, first_id: models.at(0) ?? null, last_id: models.at(-1) ?? null };
}
