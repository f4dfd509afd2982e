// Another process, as a person at a chat: say TEXT, posts, press ID once|always|reject.
const { CHAT_URL = "http://127.0.0.1:3000", USER: me = "me" } = process.env;
const [command = "posts", ...words] = process.argv.slice(2);

const send = (path: string, body: object) => fetch(CHAT_URL + path, { method: "POST", body: JSON.stringify(body) });
const commands: Record<string, () => Promise<Response>> = {
  posts: () => fetch(`${CHAT_URL}/posts`),
  say: () => send("/posts", { from: me, text: words.join(" ") }),
  press: () => send("/actions", { id: Number(words[0]), button: words[1], by: me }),
};

const chosen = commands[command];
if (!chosen) throw new Error(`There is no command ${command}. Use one of: ${Object.keys(commands).join(", ")}.`);
const response = await chosen();
const body: unknown = await response.json();
for (const { id, from, text, buttons, error } of [body].flat() as Record<string, unknown>[]) {
  console.log(error ?? `${id} ${from}: ${text}${buttons ? ` [${(buttons as string[]).join("] [")}]` : ""}`);
}
process.exitCode = response.ok ? 0 : 1;
