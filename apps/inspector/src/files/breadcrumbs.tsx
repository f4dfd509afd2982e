import { stepsOf } from "./path.ts";
import "./breadcrumbs.css";

export function Breadcrumbs({ path, onGo }: { path: string; onGo: (path: string) => void }) {
  const steps = [{ name: "Directory", path: "" }, ...stepsOf(path)];
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
