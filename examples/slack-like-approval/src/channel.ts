import type { PermissionReply } from "@sandbox-agent-ts/sdk";

export interface Post {
  readonly id: number;
  readonly from: string;
  readonly text: string;
  /** What can be pressed; nothing when somebody did. */
  readonly buttons?: readonly PermissionReply[];
}

/** A channel of a chat: posts, some of them with buttons that can be pressed once. */
export class Channel {
  readonly #posts: Post[] = [];
  readonly #pressed = new Map<number, (button: PermissionReply) => void>();

  get posts(): readonly Post[] {
    return this.#posts;
  }

  post(from: string, text: string, buttons?: readonly PermissionReply[]): Post {
    const post = { id: this.#posts.length + 1, from, text, ...(buttons && { buttons }) };
    this.#posts.push(post);
    return post;
  }

  /** Post a question with buttons; resolves with the one that is pressed. */
  ask(from: string, text: string, buttons: readonly PermissionReply[]): Promise<PermissionReply> {
    const { id } = this.post(from, text, buttons);
    return new Promise((resolve) => this.#pressed.set(id, resolve));
  }

  /** Answers whether it was still there to be pressed. */
  press(id: number, button: PermissionReply, by: string): boolean {
    const post = this.#posts[id - 1];
    const resolve = this.#pressed.get(id);
    if (!post?.buttons?.includes(button) || !resolve) return false;
    this.#pressed.delete(id);
    this.#posts[id - 1] = { id, from: post.from, text: `${post.text} — ${button}, says ${by}` };
    resolve(button);
    return true;
  }
}
