import type { SessionInfo } from "@sandbox-agent-ts/protocol";
import { Dialog } from "../controls/dialog.tsx";
import { JsonView } from "../controls/json-view.tsx";

export function SessionDetailsDialog({ session, onClose }: { session: SessionInfo; onClose: () => void }) {
  return (
    <Dialog title="Session details" onClose={onClose}>
      <JsonView value={session} />
    </Dialog>
  );
}
