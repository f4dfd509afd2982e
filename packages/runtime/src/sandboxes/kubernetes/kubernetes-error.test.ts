import { ApiException } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { SandboxProviderError } from "../sandbox-provider.ts";
import { kubernetesError } from "./kubernetes-error.ts";

const api = (code: number, message: string, headers = {}) =>
  new ApiException(code, "", JSON.stringify({ kind: "Status", message }), headers);
const refusedSocket = (status: number) => ({
  message: `Unexpected server response: ${status}`,
  error: new Error("no"),
});
const rights = `pods is forbidden: User "me" cannot create resource "pods" in API group "" in the namespace "sandboxes"`;
const quota = `pods "x" is forbidden: exceeded quota: few, requested: pods=1, used: pods=5, limited: pods=5`;
const security = `pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true`;
const noConnection = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });

test.each([
  [api(401, "Unauthorized"), "unauthorized", /credentials .*token or certificate/],
  [
    api(403, rights),
    "unauthorized",
    /may not create pods: bind it to the Role of deploy\/kubernetes\/role.yaml in the namespace sandboxes/,
  ],
  [api(403, quota), "rate_limited", /no room for another sandbox.*ResourceQuota/],
  [api(403, security), "failed", /does not allow such pods.*runAsNonRoot/],
  [api(404, `pods "x" not found`), "not_found", /pods "x" not found/],
  [
    api(404, "the server could not find the requested resource"),
    "failed",
    /install agent-sandbox from 0.5 on, or set mode to pod/,
  ],
  [api(409, `pods "x" already exists`), "conflict", /already exists/],
  [api(422, "metadata.labels: Invalid value"), "failed", /Invalid value/],
  [api(503, "etcdserver: leader changed"), "unavailable", /leader changed/],
  [new ApiException(502, "", "<html>Bad gateway</html>", {}), "unavailable", /what answered is not the API: <html>/],
  [refusedSocket(403), "unauthorized", /may not create pods\/exec: bind it to the Role/],
  [refusedSocket(307), "unavailable", /a proxy before it answers/],
  [{ message: "connect ECONNREFUSED", error: noConnection }, "unavailable", /did not answer.*ECONNREFUSED/],
] as const)("%# is told in the words of the seam", (error, code, sentence) => {
  const told = kubernetesError(error, "create pods/exec");
  expect(told).toBeInstanceOf(SandboxProviderError);
  expect(told.code).toBe(code);
  expect(told.message).toMatch(sentence);
  expect(kubernetesError(told, "")).toBe(told);
});

test("it is waited for as long as the API says", () => {
  const error = api(429, "too many requests", { "retry-after": "3" });
  expect(kubernetesError(error, "list pods")).toMatchObject({ code: "rate_limited", retryAfterMs: 3_000 });
});
