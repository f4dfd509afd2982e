import { Dialog } from "../controls/dialog.tsx";
import { shortcuts } from "./use-shortcuts.ts";
import "./shortcuts-dialog.css";

const inPlace = [
  { keys: "Enter", does: "Send the message" },
  { keys: "Shift Enter", does: "New line in the message" },
  { keys: "Y", does: "Allow once, in a permission request" },
  { keys: "A", does: "Allow always, in a permission request" },
  { keys: "N", does: "Reject, in a permission request" },
  { keys: "← →", does: "Step through events" },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard" size="s" onClose={onClose}>
      <dl className="shortcuts">
        {[...shortcuts, ...inPlace].map(({ keys, does }) => (
          <div key={keys}>
            <dt>{does}</dt>
            <dd>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
