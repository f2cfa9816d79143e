/** The board's files: in memory, where the firmware reads them at once, and in IndexedDB, which follows. */
import type { HostFiles } from "../host-sim/host-types";

const STORE = "files";
type Content = string | Uint8Array<ArrayBuffer>;

const contents = new Map<string, Content>();
const changed = new Set<string>();
let database: IDBDatabase | undefined;
let saving: Promise<void> | undefined;

function ended<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  });
}

/** Reads what an earlier visit has left. Call before a board is made. */
export async function openFiles(name: string): Promise<void> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  database = await ended(opening);
  const store = database.transaction(STORE).objectStore(STORE);
  const [keys, values] = await Promise.all([ended(store.getAllKeys()), ended(store.getAll())]);
  keys.forEach((key, at) => contents.set(key as string, values[at] as Content));
}

export const hasFile = (path: string): boolean => contents.has(path);

export function removeFile(path: string): void {
  contents.delete(path);
  touch(path);
}

/** All changes of one moment are one transaction: a reload finds all of them or none, and never a later one without an earlier. */
function save(): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!database) return resolve();
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(STORE);
    for (const path of changed) {
      const content = contents.get(path);
      if (content === undefined) store.delete(path);
      else store.put(content, path);
    }
    changed.clear();
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
  });
}

async function saveAll(): Promise<void> {
  // After what is being done now.
  await Promise.resolve();
  while (changed.size) await save();
}

function touch(path: string): void {
  changed.add(path);
  saving ??= saveAll()
    .catch((error: unknown) => trace(`web-sim: not stored: ${String(error)}\n`))
    .finally(() => (saving = undefined));
}

/** Resolves once everything written so far is in IndexedDB; undefined: it is already. */
export const whenSaved = (): Promise<void> | undefined => saving;

export const files: HostFiles = {
  readText: (path) => contents.get(path) as string | undefined,
  writeText(path, text) {
    contents.set(path, text);
    touch(path);
  },
  rename(path, to) {
    const content = contents.get(path);
    if (content !== undefined) contents.set(to, content);
    contents.delete(path);
    touch(path);
    touch(to);
  },
  readBytes(path, initial) {
    const stored = contents.get(path) ?? Uint8Array.from(initial);
    contents.set(path, stored);
    return stored as Uint8Array;
  },
  patch(path, bytes, at, length) {
    (contents.get(path) as Uint8Array).set(bytes.subarray(at, at + length), at);
    touch(path);
  },
};
