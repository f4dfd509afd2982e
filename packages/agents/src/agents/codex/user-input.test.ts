import { expect, test } from "vitest";
import { userInput } from "./user-input.ts";

test("images are shown, of other files it is said where they are", () => {
  const attachments = [
    { path: "a.png" },
    { path: "/elsewhere/photo", mime: "image/jpeg" },
    { path: "b.txt", mime: "text/plain", filename: "B" },
    { path: "c.svg", mime: "image/svg+xml" },
  ];
  expect(userInput({ turnId: "t", message: "Look.", attachments }, "/workspace")).toEqual([
    {
      type: "text",
      text: "Look.\n\nAttached files:\n- /workspace/b.txt (B, text/plain)\n- /workspace/c.svg (image/svg+xml)",
    },
    { type: "localImage", path: "/workspace/a.png" },
    { type: "localImage", path: "/elsewhere/photo" },
    { type: "mention", name: "B", path: "/workspace/b.txt" },
    { type: "mention", name: "c.svg", path: "/workspace/c.svg" },
  ]);
});
