import tseslint from "typescript-eslint";

/** Globals and members that XS on the device lacks or that would cost what it has not: lint keeps the firmware free of them. */
const NOT_ON_THE_DEVICE = [
  ...["setTimeout", "setInterval", "clearTimeout", "clearInterval", "queueMicrotask"].map((name) => ({
    name,
    message: 'Use Timer from "timer".',
  })),
  ...["process", "Buffer", "console", "Intl", "URL", "fetch", "performance", "structuredClone"].map((name) => ({
    name,
    message: "The device has no such global.",
  })),
  { name: "Date", message: 'The clock is wrong until SNTP has answered: durations come from Time.ticks ("time").' },
];

export default tseslint.config(
  { ignores: ["build/", "coverage/", "node_modules/", "linux/**/*.js", "**/*.mjs", "**/*.cjs"] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: ["tsconfig.json", "host-sim/tsconfig.json", "test/tsconfig.json"],
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
  {
    files: ["src/**/*.ts", "modules/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", ...NOT_ON_THE_DEVICE],
      "no-restricted-properties": [
        "error",
        ...["toLocaleString", "toLocaleLowerCase", "toLocaleUpperCase", "localeCompare", "normalize"].map(
          (property) => ({
            property,
            message: "XS on the device has no locales.",
          }),
        ),
      ],
    },
  },
  { files: ["test/**/*.ts", "host-sim/**/*.ts"], rules: { "no-console": "off" } },
);
