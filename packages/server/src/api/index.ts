export { gzipInto, sendJson } from "./compression.ts";
export { idempotencyKey } from "./idempotency-key.ts";
export { createRequestHandler } from "./request-handler.ts";
export { isOf, routeOf } from "./route-pattern.ts";
export * from "./services.ts";
export { sendEvents } from "./sse.ts";
export { mediaType, readJson, readQuery } from "./validate.ts";
