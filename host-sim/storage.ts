import { host } from "#host";

export type StoredValue = { readonly string: string } | { readonly buffer: string };
type Domain = Record<string, StoredValue>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isStoredValue = (value: unknown): value is StoredValue =>
  isRecord(value) && (typeof value["string"] === "string" || typeof value["buffer"] === "string");

function set(stored: Domain, key: string, value: StoredValue | undefined): void {
  if (value) stored[key] = value;
  else delete stored[key];
}

/** Own members only and no prototype: a key may be `__proto__`. */
function domainsOf(document: unknown): Record<string, Domain> {
  if (!isRecord(document)) throw new SyntaxError("not an object");
  const domains = Object.create(null) as Record<string, Domain>;
  for (const [name, domain] of Object.entries(document)) {
    if (!isRecord(domain) || !Object.values(domain).every(isStoredValue)) throw new SyntaxError(`bad domain ${name}`);
    domains[name] = Object.assign(Object.create(null) as Domain, domain);
  }
  return domains;
}

/**
 * The flash partition of the stored settings: a JSON file, or memory only if no path is given. On Node each change is
 * on disk when `write` returns. The file is replaced atomically, so a kill at any moment leaves either the old or the
 * new content.
 */
export class StorageFile {
  readonly #path: string | undefined;
  #corrupt = false;
  #domains: Record<string, Domain> = Object.create(null) as Record<string, Domain>;

  constructor(path?: string) {
    this.#path = path;
  }

  /**
   * Loads the file. A corrupt file is renamed and counts as empty; the returned message gives its new name. Throws an Error that names
   * the file if it cannot be read, or its folder not be written.
   */
  load(): string | undefined {
    const path = this.#path;
    if (!path) return undefined;
    this.#domains = Object.create(null) as Record<string, Domain>;
    const text = host.files.readText(path);
    if (text === undefined) return undefined;
    try {
      this.#domains = domainsOf(JSON.parse(text));
    } catch {
      host.files.rename(path, `${path}.corrupt`);
      return `storage file ${path} is corrupt: kept as ${path}.corrupt, starting with an empty one`;
    }
    return undefined;
  }

  /** Makes the stored settings unreadable from the next power-on. */
  corrupt(): void {
    this.#corrupt = true;
  }

  /** At power-on: whether `corrupt` was called. What was stored is set aside then, and the store begins anew. */
  aside(): boolean {
    if (!this.#corrupt) return false;
    this.#corrupt = false;
    this.#domains = Object.create(null) as Record<string, Domain>;
    this.#save();
    return true;
  }

  /** The flash, deleted values included: a factory reset. */
  erase(): void {
    this.#domains = Object.create(null) as Record<string, Domain>;
    this.#save();
  }

  has(domain: string): boolean {
    return domain in this.#domains;
  }

  keys(domain: string): string[] {
    return Object.keys(this.#domains[domain] ?? {});
  }

  read(domain: string, key: string): StoredValue | undefined {
    return this.#domains[domain]?.[key];
  }

  write(domain: string, key: string, value: StoredValue): void {
    this.#change((this.#domains[domain] ??= Object.create(null) as Domain), key, value);
  }

  delete(domain: string, key: string): void {
    const stored = this.#domains[domain];
    if (stored?.[key]) this.#change(stored, key, undefined);
  }

  /** Undefined deletes. What cannot be saved is not changed. */
  #change(stored: Domain, key: string, value: StoredValue | undefined): void {
    const before = stored[key];
    set(stored, key, value);
    try {
      this.#save();
    } catch (error) {
      set(stored, key, before);
      throw error;
    }
  }

  #save(): void {
    if (this.#path) host.files.writeText(this.#path, `${JSON.stringify(this.#domains, undefined, 2)}\n`);
  }
}
