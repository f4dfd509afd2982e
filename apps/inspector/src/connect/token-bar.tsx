import { useState } from "react";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/notice.tsx";
import type { Trouble } from "./try-connection.ts";
import "./token-bar.css";

/** The daemon answers, and refuses: it was started with another token while this page was open. */
export function TokenBar({ onToken }: { onToken: (text: string) => Promise<Trouble | undefined> }) {
  const [text, setText] = useState("");
  const [trouble, setTrouble] = useState<Trouble>();
  const [isBusy, setBusy] = useState(false);

  const submit = async () => {
    setBusy(true);
    setTrouble(await onToken(text));
    setBusy(false);
  };

  return (
    <div className="token-bar">
      <Notice look="wait" role="alert" title="The token is wrong.">
        <p>The daemon takes another one now. Paste its token, or the link it printed:</p>
        <form
          className="token-bar-form"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <input
            className="input input-code"
            type="password"
            aria-label="Token or link"
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
          <Button look="primary" type="submit" busy={isBusy}>
            Connect
          </Button>
        </form>
        {trouble && <p role="status">{explain(trouble)}</p>}
      </Notice>
    </div>
  );
}

function explain(trouble: Trouble): string {
  return trouble.kind === "token" ? "This one is wrong, too." : "The daemon does not answer right now. Try again.";
}
