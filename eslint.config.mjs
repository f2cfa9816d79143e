import tseslint from "typescript-eslint";
import { deviceRules } from "./eslint.device.mjs";

/** The first that contains a file is used for it: the tests' has everything but the page and the tests with its types. */
export const PROJECTS = ["test", "web", "test/browser", "scripts", "web-sim", "test/browser/web-sim"];

export default tseslint.config(
  {
    ignores: [
      ".cache/",
      "build/",
      "coverage/",
      "node_modules/",
      "linux/**/*.js",
      "boards/**/*.js",
      "docs/**/*.js",
      "examples/**/*.mjs",
      "modules/**/*.js",
      "test/native/**/*.js",
      "test/xs-linux/**/*.js",
      "test/bench/xs-linux/**/*.js",
      "**/*.d.mts",
      "**/*.cjs",
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: PROJECTS.map((folder) => `${folder}/tsconfig.json`),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      eqeqeq: "error",
      "no-console": "error",
      "prefer-const": "error",
    },
  },
  // Programs in JavaScript: parameters without a type are of any type.
  {
    files: ["**/*.mjs"],
    rules: {
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "no-console": "off",
    },
  },
  // Data: the type is inferred.
  {
    files: [
      "web/texts/en.ts",
      "web/texts/later/*.ts",
      "test/support/web/web-mock-data.ts",
      "test/support/web/page-states.ts",
    ],
    rules: { "@typescript-eslint/explicit-module-boundary-types": "off" },
  },
  // They inspect documents of every shape.
  {
    files: ["test/system/*.test.ts", "test/browser/real/*.test.ts"],
    rules: { "@typescript-eslint/no-unsafe-member-access": "off" },
  },
  { files: ["src/**/*.ts", "modules/**/*.ts"], rules: deviceRules },
  { files: ["test/**/*.ts", "host-sim/**/*.ts"], rules: { "no-console": "off" } },
  // vitest's hooks get the fixtures in front of all else.
  {
    files: ["test/support/processor-time.ts"],
    rules: { "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }] },
  },
  {
    files: ["test/**/*.test.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: [{ name: "fast-check", message: "Use test/support/property: the same cases in every run." }] },
      ],
    },
  },
);
