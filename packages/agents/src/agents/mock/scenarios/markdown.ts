import type { Scenario } from "../scenario.ts";

const sample = `# Heading

A paragraph with **bold**, *italic*, \`code\` and a [link](https://example.com).

1. First
2. Second
   - nested

> A quotation.

| name | value |
| --- | ---: |
| one | 1 |
| two | 2 |

\`\`\`ts
export const answer = 6 * 7;
\`\`\`

Other scripts: grüße, 你好, 👩‍🚀.
`;

/** A thought, then a message with every common piece of Markdown. */
export const markdown: Scenario = async (stage) => {
  await stage.reason("The person wants to see Markdown, so I show each kind once.");
  await stage.say(sample);
  return undefined;
};
