import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { originalText, storedText } from "./stored-text.ts";

describe("stored text", () => {
  it("is any text, told apart from any other and given back the same", () => {
    const unit = fc.oneof(fc.constantFrom("\0", "\ue000", "\ud800", "\udfff", "0", "a", "🦀", "é"), fc.string());
    const text = fc.array(unit).map((units) => units.join(""));
    fc.assert(
      fc.property(text, (original) => {
        const stored = storedText(original);
        expect(originalText(stored)).toBe(original);
        expect(stored).not.toMatch(/[\0\p{Surrogate}]/u);
      }),
    );
  });

  it("is the text itself where that can be stored", () => {
    expect(storedText("näh ✂ \n 🦀")).toBe("näh ✂ \n 🦀");
  });
});
