/** Whether a text is what a pattern says, in which `*` stands for any text. Takes at most time pattern × text. */
export function fitsWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let retryFrom = 0;
  let position = 0;
  while (position < text.length) {
    if (pattern[at] === "*") {
      star = at;
      at += 1;
      retryFrom = position;
    } else if (at < pattern.length && pattern[at] === text[position]) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      retryFrom += 1;
      position = retryFrom;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
