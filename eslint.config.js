// Biome lints everything else; these two rules need types, which only typescript-eslint has.
import tseslint from "typescript-eslint";

const promises = {
  plugins: { "@typescript-eslint": tseslint.plugin },
  rules: {
    "@typescript-eslint/no-floating-promises": "error",
    "@typescript-eslint/no-misused-promises": "error",
  },
};

export default tseslint.config(
  { ignores: ["**/dist/**", "**/*.gen.ts", "**/*.js", "**/*.mjs", "**/*.cjs"] },
  {
    files: ["packages/*/src/**/*.ts", "scripts/**/*.ts", "resources/**/*.ts", "bench/**/*.ts"],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: "tsconfig.lint.json",
        tsconfigRootDir: import.meta.dirname,
      },
    },
    ...promises,
  },
  {
    files: ["apps/inspector/src/**/*.{ts,tsx}"],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: "apps/inspector/tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    ...promises,
  },
);
