import { type ReactNode, useId } from "react";
import { Icon } from "./icon.tsx";
import { useOpen } from "./open-memory.ts";
import "./disclosure.css";

interface DisclosureProps {
  readonly summary: ReactNode;
  readonly children: () => ReactNode;
  readonly isOpenAtFirst?: boolean;
  readonly className?: string;
  /** Its name in the memory above it, if it is to stay open while it is out of sight. */
  readonly name?: string;
}

/** A line that opens; what is inside is only made when it is shown. */
export function Disclosure({ summary, children, isOpenAtFirst = false, className = "", name }: DisclosureProps) {
  const [isOpen, setOpen] = useOpen(isOpenAtFirst, name);
  const id = useId();
  return (
    <div className={`disclosure ${className}`}>
      <button
        type="button"
        className="disclosure-summary"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="disclosure-mark">
          <Icon name="chevron" size={12} />
        </span>
        {summary}
      </button>
      {isOpen && (
        <div className="disclosure-body" id={id}>
          {children()}
        </div>
      )}
    </div>
  );
}
