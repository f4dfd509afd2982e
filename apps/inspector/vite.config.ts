import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";

/** The daemon says the same in a header; here it holds wherever the files are put. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src *",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Only in a build: the development server needs a script in the page. */
const policyInThePage: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: contentSecurityPolicy },
      injectTo: "head-prepend",
    },
  ],
};

export default defineConfig(({ command }) => {
  // Whoever builds it, a test for example, gets what people get.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    base: "./",
    plugins: [react(), policyInThePage],
    resolve: { conditions: ["@sandbox-agent-ts/source", ...defaultClientConditions] },
    build: {
      target: "es2022",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      license: { fileName: "third-party-notices.md" },
    },
  };
});
