import { stepsOf } from "./path.ts";
import "./breadcrumbs.css";

interface BreadcrumbsProps {
  /** What the first step is called. */
  readonly root: string;
  readonly path: string;
  readonly onGo: (path: string) => void;
}

export function Breadcrumbs({ root, path, onGo }: BreadcrumbsProps) {
  const steps = [{ name: root, path: "" }, ...stepsOf(path)];
  return (
    <nav className="breadcrumbs" aria-label="Path">
      <ol>
        {steps.map((step, at) => (
          <li key={step.path}>
            <button
              type="button"
              aria-current={at === steps.length - 1 ? "page" : undefined}
              onClick={() => onGo(step.path)}
            >
              {step.name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
