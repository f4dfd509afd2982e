import { useSandboxAgent } from "@sandbox-agent-ts/react";
import { Button, IconButton } from "../controls/button.tsx";
import { Icon, type IconName } from "../controls/icon.tsx";
import { formatRoute, type Route } from "../route/route.ts";
import { SessionList } from "../sessions/session-list.tsx";
import { ThemeToggle } from "../theme/theme-toggle.tsx";
import { Logo } from "./logo.tsx";
import "./sidebar.css";

interface SidebarProps {
  readonly selected: string | undefined;
  readonly page: Route["page"];
  readonly version: string;
  readonly onNewSession: () => void;
  readonly onDisconnect: () => void;
  readonly onShortcuts: () => void;
}

const pages: readonly { page: "agents" | "requests"; name: string; icon: IconName }[] = [
  { page: "agents", name: "Agents", icon: "bot" },
  { page: "requests", name: "Request log", icon: "globe" },
];

export function Sidebar({ selected, page, version, onNewSession, onDisconnect, onShortcuts }: SidebarProps) {
  const { baseUrl } = useSandboxAgent();
  return (
    <div className="sidebar">
      <header className="sidebar-header">
        <a className="sidebar-brand" href="#/">
          <Logo /> Sandbox Agent
        </a>
        <ThemeToggle />
      </header>
      <div className="sidebar-new">
        <Button look="primary" icon="plus" onClick={onNewSession}>
          New session
        </Button>
      </div>
      <SessionList selected={selected} />
      <nav className="sidebar-nav" aria-label="Pages">
        {pages.map(({ page: target, name, icon }) => (
          <a key={target} href={formatRoute({ page: target })} aria-current={page === target ? "page" : undefined}>
            <Icon name={icon} /> {name}
          </a>
        ))}
      </nav>
      <footer className="sidebar-footer">
        <p className="truncate" title={`${baseUrl}, version ${version}`}>
          {baseUrl.replace(/^https?:\/\//, "")} <span>v{version}</span>
        </p>
        <IconButton icon="question" label="Keyboard shortcuts" onClick={onShortcuts} />
        <IconButton icon="exit" label="Disconnect" onClick={onDisconnect} />
      </footer>
    </div>
  );
}
