import { expect, test } from "vitest";
import { serverEnvironment } from "./launch.ts";

const launch = (env: Record<string, string>) => ({ command: "opencode", common: true, env });

test("every server has a password of its own, whatever the user's is", () => {
  const [one, two] = [serverEnvironment(launch({ OPENCODE_SERVER_PASSWORD: "x" })), serverEnvironment(launch({}))];
  expect(one.env.OPENCODE_SERVER_PASSWORD).toBe(one.password);
  expect(one.password).not.toBe(two.password);
  expect(one.password.length).toBeGreaterThanOrEqual(32);
});

test("what reaches for the network unasked is off, unless the user wants it", () => {
  expect(serverEnvironment(launch({})).env).toMatchObject({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  });
  const wanted = serverEnvironment(launch({ OPENCODE_DISABLE_MODELS_FETCH: "0", PATH: "/bin" })).env;
  expect(wanted).toMatchObject({ OPENCODE_DISABLE_MODELS_FETCH: "0", PATH: "/bin" });
});
