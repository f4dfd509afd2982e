import { openPage } from "@sandbox-agent-ts/testing/browser";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };

/** A person at the inspector, in the words of what they see. */
export class Visitor {
  readonly page: Page;
  readonly complaints: readonly string[];

  private constructor(page: Page, complaints: readonly string[]) {
    this.page = page;
    this.complaints = complaints;
  }

  static async open(browser: Browser, url: string, options: BrowserContextOptions = desk): Promise<Visitor> {
    const { page, complaints } = await openPage(browser, url, options);
    return new Visitor(page, complaints);
  }

  get message(): Locator {
    return this.page.getByLabel("Message", { exact: true });
  }

  get conversation(): Locator {
    return this.page.getByRole("region", { name: "Conversation" });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  link(name: string): Locator {
    return this.page.getByRole("link", { name, exact: true });
  }

  /** Begin a session with the agent of this name. */
  async newSession(agent: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.button("New session").first().click();
    for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(value);
    await this.page.getByRole("radio", { name: agent }).check({ force: true });
    await this.button("Create session").click();
    await this.message.waitFor();
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press("Enter");
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Wait until the session does nothing. */
  async idle(): Promise<void> {
    await this.page.locator(".session-header").getByText("Idle").waitFor();
  }
}
