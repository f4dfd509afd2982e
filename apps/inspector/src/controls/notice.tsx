import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./notice.css";

interface NoticeProps {
  readonly look?: "bad" | "wait" | "info";
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly role?: "alert" | "status";
}

export function Notice({ look = "bad", title, children, role }: NoticeProps) {
  return (
    <div className={`notice notice-${look}`} role={role}>
      <Icon name={look === "info" ? "info" : "warn"} />
      <div className="notice-text">
        <p className="notice-title">{title}</p>
        {children}
      </div>
    </div>
  );
}
