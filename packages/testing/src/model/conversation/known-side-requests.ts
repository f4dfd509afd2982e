import type { SideRequest } from "../script/model-script.ts";

/** What the agents we know ask beside the conversation; each is narrow enough never to take a turn's own request. */
export const knownSideRequests: readonly SideRequest[] = [
  {
    name: "title",
    when: { system: /\b(title generator|generate a (concise|short|brief)[^.]{0,40} title)\b/i, hasTools: false },
    answer: { text: "Scripted title" },
  },
  {
    name: "topic",
    when: { system: /Analyze if this message indicates a new conversation topic/i, hasTools: false },
    answer: { text: JSON.stringify({ isNewTopic: false, title: null }) },
  },
  {
    name: "probe",
    when: { prompt: /^(quota|Hi)$/, maxTokens: 1, dialect: "anthropic" },
    answer: { text: "Hi" },
  },
  {
    name: "compaction",
    when: { prompt: /^(CRITICAL: Respond with TEXT ONLY|You are performing a CONTEXT CHECKPOINT COMPACTION)/ },
    answer: { text: "<summary>Scripted summary of the conversation.</summary>" },
  },
  {
    name: "routing",
    when: { system: /Task Routing AI/i, dialect: "gemini" },
    answer: {
      text: JSON.stringify({
        reasoning: "Scripted.",
        model_choice: "flash",
        complexity_reasoning: "Scripted.",
        complexity_score: 1,
      }),
    },
  },
];
