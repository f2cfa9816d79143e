import { fileURLToPath } from "node:url";

/** Root of the repository; bundles are one folder deep, like this file. */
export const root = fileURLToPath(new URL("..", import.meta.url));
