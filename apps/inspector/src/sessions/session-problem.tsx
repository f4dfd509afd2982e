import { useState } from "react";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/notice.tsx";
import { DeleteSessionDialog } from "./end-dialogs.tsx";
import "./session-problem.css";

interface SessionProblemProps {
  readonly problem: string;
  readonly onDelete: () => Promise<void>;
}

/** In the place of the composer: what is left of the session can be read, and it can be deleted. */
export function SessionProblem({ problem, onDelete }: SessionProblemProps) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div className="session-problem">
      <Notice title="This session cannot go on" role="status">
        <p>{problem}</p>
        <Button look="danger" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </Notice>
      {isDeleting && <DeleteSessionDialog onDelete={onDelete} onClose={() => setDeleting(false)} />}
    </div>
  );
}
