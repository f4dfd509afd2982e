import { expect, test } from "vitest";
import { checkModelAddresses } from "./check-model-addresses.ts";

const env = {
  ANTHROPIC_BASE_URL: "http://127.0.0.1:8080",
  OPENAI_BASE_URL: "http://localhost:11434/v1",
  GOOGLE_GEMINI_BASE_URL: "http://10.0.0.1:8080",
  HTTPS_PROXY: "http://[::1]:3128",
  NO_PROXY: "localhost,127.0.0.1",
  ANTHROPIC_API_KEY: "localhost",
};

test("models on loopback are of no use to containers, and are named without their addresses", () => {
  const [check, ...more] = checkModelAddresses("docker", env);
  expect(more).toEqual([]);
  expect(check).toMatchObject({ name: "models", ok: false });
  expect(check?.detail).toContain(": ANTHROPIC_BASE_URL, OPENAI_BASE_URL, HTTPS_PROXY. Name addresses");
});

test("they are reached by sandboxes on this machine's network, and others are no matter", () => {
  expect(checkModelAddresses("local", env)).toEqual([]);
  expect(checkModelAddresses("docker", { OPENAI_BASE_URL: "https://models.example.com/v1" })).toEqual([]);
});
