export const code = (text) => `\`${text}\``;

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** The reasons that cells of a table refer to, numbered below it. */
export class Reasons {
  #all = [];

  number(...reasons) {
    const numbers = reasons.map((reason) => {
      if (!this.#all.includes(reason)) this.#all.push(reason);
      return this.#all.indexOf(reason) + 1;
    });
    return `(${numbers.join(", ")})`;
  }

  list() {
    const notes = this.#all.map((reason, index) => `${index + 1}. ${sentence(reason)}\n`).join("");
    return notes && `\n${notes}`;
  }
}

/** Outside of code, MDX takes `<` and `{` for its own. */
function sentence(text) {
  const escaped = text.replace(/[<{]/g, (character) => `\\${character}`);
  return `${escaped.charAt(0).toUpperCase()}${escaped.slice(1).replace(/\.$/, "")}.`;
}
