import type { Cost, Usage } from "@sandbox-agent-ts/protocol";
import { costOf } from "../../costs/cost-of.ts";

const USD_PER_INPUT_WORD = 0.000_001;
const USD_PER_OUTPUT_WORD = 0.000_004;

/** The mock's tokens are words, so that the same turn always costs the same. */
export class WordCount {
  readonly #input: number;
  #output = 0;
  #reasoning = 0;

  constructor(message: string) {
    this.#input = countWords(message);
  }

  say(text: string, times = 1): void {
    this.#output += countWords(text) * times;
  }

  /** Reasoning is output too, as in the figures of real models. */
  reason(text: string): void {
    this.say(text);
    this.#reasoning += countWords(text);
  }

  usage(): Usage {
    return { input_tokens: this.#input, output_tokens: this.#output, reasoning_tokens: this.#reasoning };
  }

  cost(): Cost {
    return costOf(this.#input * USD_PER_INPUT_WORD + this.#output * USD_PER_OUTPUT_WORD);
  }
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
