/**
 * Exports of the product that nobody needs: a value that no other file imports, a type that nothing names, and what only tests use, not even
 * the rest of its own file. `files`: texts by path in the repository; `standIns`: files with the exports of another, which is imported.
 */
export function deadExports(
  files: ReadonlyMap<string, string>,
  which: {
    isProduct: (path: string) => boolean;
    isTest: (path: string) => boolean;
    standIns: ReadonlyMap<string, string>;
  },
): { path: string; name: string; why: string }[];
