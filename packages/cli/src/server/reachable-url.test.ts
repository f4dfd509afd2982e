import { expect, it } from "vitest";
import { reachableUrl } from "./reachable-url.ts";

it.each([
  ["http://0.0.0.0:80", "http://127.0.0.1"],
  ["http://0.0.0.0:2468", "http://127.0.0.1:2468"],
  ["http://[::]:2468", "http://[::1]:2468"],
  ["http://127.0.0.1:2468", "http://127.0.0.1:2468"],
  ["http://sandbox.local:2468", "http://sandbox.local:2468"],
])("%s is reached at %s", (url, reachable) => {
  expect(reachableUrl(url)).toBe(reachable);
});
