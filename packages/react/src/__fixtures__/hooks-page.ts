/** A page that shows what every hook says, and does what they can. */
import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { createElement as h, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import {
  type PendingQuestion,
  SandboxAgentProvider,
  type ShortQuestion,
  useAgents,
  useEvents,
  useRequests,
  useSendMessage,
  useSession,
  useSessions,
  useTranscript,
} from "../index.ts";

const text = (id: string, ...content: unknown[]) => h("output", { "data-testid": id }, content.map(String).join(" "));
const button = (label: string, onClick: () => unknown) => h("button", { type: "button", onClick }, label);

/** How often each component was rendered, for tests to read. */
const renders: Record<string, number> = {};
Object.assign(window, { renders });
const count = (name: string) => {
  renders[name] = (renders[name] ?? 0) + 1;
};

function textOf(items: readonly UniversalItem[]): string {
  return items.flatMap(({ content }) => content.map((part) => ("text" in part ? part.text : ""))).join("|");
}

function Conversation({ id, name }: { id: string; name: string }) {
  count(name);
  const { items, turns } = useTranscript(id);
  return h("section", null, text(name, textOf(items)), text(`${name}-turns`, turns.map(({ status }) => status).join()));
}

function Header({ id }: { id: string }) {
  count("header");
  const { session, status, connection, error, interrupt, rename } = useSession(id);
  return h(
    "header",
    null,
    text("title", session?.title),
    text("status", status),
    text("connection", connection),
    text("error", error?.message ?? ""),
    button("Stop", interrupt),
    button("Rename", () => rename("Renamed")),
  );
}

function Composer({ id }: { id: string }) {
  const { send, isSending, queued } = useSendMessage(id);
  const [message, setMessage] = useState("");
  return h(
    "form",
    null,
    h("input", { value: message, "aria-label": "message", onChange: (event) => setMessage(event.target.value) }),
    h("button", { type: "button", onClick: () => void send(message) }, "Send"),
    text("sending", isSending),
    text("queued", queued.map((entry) => entry.message).join()),
  );
}

function firstOf({ options, questions }: ShortQuestion & Pick<PendingQuestion, "questions">): string[][] {
  return questions ? questions.map((question) => [question.options[0]!.label]) : [[options[0]!]];
}

function Requests({ id, name }: { id?: string; name: string }) {
  const { permissions, questions, replyPermission, replyQuestion } = useRequests(id);
  return h(
    "section",
    null,
    text(name, ...permissions.map(({ sessionId, action }) => `${sessionId}: ${action}`)),
    permissions.map((permission) => button(`Allow in ${name}`, () => replyPermission(permission, "once"))),
    questions.map((question) => button(`Answer in ${name}`, () => replyQuestion(question, firstOf(question)))),
  );
}

function Log({ id }: { id: string }) {
  return text("events", useEvents(id).length);
}

function Overview() {
  const { agents } = useAgents();
  const { sessions, error } = useSessions();
  return h(
    "nav",
    null,
    text("agents", ...agents.map(({ id }) => id)),
    text("sessions", ...sessions.map((session) => `${session.sessionId}:${session.status}:${session.title ?? ""}`)),
    text("sessions-error", error?.message ?? ""),
    h(Requests, { name: "all" }),
  );
}

function SessionView({ id }: { id: string }) {
  return h(
    "main",
    null,
    h(Header, { id }),
    h(Conversation, { id, name: "one" }),
    h(Conversation, { id, name: "two" }),
    h(Requests, { id, name: "here" }),
    h(Log, { id }),
    h(Composer, { id }),
  );
}

function App() {
  const [isOpen, setOpen] = useState(true);
  return h(
    "div",
    null,
    h(Overview),
    isOpen && h(SessionView, { id: "s" }),
    button("Toggle", () => setOpen(!isOpen)),
  );
}

const client = await SandboxAgent.connect({ baseUrl: location.origin });
const app = h(SandboxAgentProvider, { client }, h(App));
createRoot(document.getElementById("root")!).render(h(StrictMode, null, app));
