/** Feared: a sandbox whose files become pages of the runtime, with all that a page of it may do. */
import { expect, test } from "vitest";
import { startTestRuntime } from "../__fixtures__/test-runtime.ts";

const page = "<script>alert(1)</script>";
const asPage = {
  "content-type": "text/html",
  "content-disposition": "inline",
  "set-cookie": "user=eve",
  "access-control-allow-origin": "*",
  refresh: "0;url=https://evil.example",
};

test("whatever a sandbox answers for a file is a download and nothing else", { timeout: 180_000 }, async () => {
  let isHostile = false;
  const network: typeof fetch = async (input, init) =>
    isHostile && String(input).includes("/v1/fs/")
      ? new Response(page, { status: 200, headers: asPage })
      : fetch(input, init);
  const { client, gateway, runtime } = await startTestRuntime({ network });
  await client.createSession("s", { agent: "mock" });
  await client.session("s").run("echo hello");
  isHostile = true;
  const { key } = await runtime.keys.create({ name: "k", principal: "admin", scope: "admin" });
  const paths = ["/v1/fs/file?sessionId=s&path=a.html", "/v1/fs/entries?sessionId=s", "/api/sessions/s/files/a.html"];
  for (const path of paths) {
    const answer = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect(await answer.text(), path).toBe(page);
    expect(answer.headers.get("content-type"), path).toBe("application/octet-stream");
    expect(answer.headers.get("content-disposition"), path).toBe("attachment");
    expect(answer.headers.get("x-content-type-options"), path).toBe("nosniff");
    for (const name of ["set-cookie", "refresh"]) expect(answer.headers.get(name), path).toBeNull();
    expect(answer.headers.get("access-control-allow-origin"), path).not.toBe("*");
  }
});
