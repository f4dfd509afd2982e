import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./theme/fonts.css";
import "./theme/tokens.css";
import "./theme/base.css";
import { App } from "./app.tsx";
import { findTarget } from "./connect/target.ts";
import { startTheme } from "./theme/theme.ts";

startTheme();
const found = findTarget(location, [sessionStorage, localStorage]);
// Before anything else: a token has no business in an address that may be shared or logged.
if (found.cleaned !== undefined) history.replaceState(null, "", found.cleaned);

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App found={found} />
    </StrictMode>,
  );
}
