/** The files of the page's script that are loaded when they are needed: a language, the screens below lazy/. */
import { inTurn } from "./request";
import { RequestError } from "./request-error";

declare global {
  /** Made by web/build.mjs, in front of app.js. Each file adds what it exports. */
  var page: {
    readonly addresses: Readonly<Record<string, string>>;
    /** Of the texts in a language's file (named.ts). */
    readonly names: string;
    readonly files: Readonly<Record<string, unknown>>;
  };
}

/** ms before a file that does not arrive counts as failed. */
const TIMEOUT = 15_000;

const loading = new Map<string, Promise<unknown>>();

export const loaded = <Exports>(file: string): Exports | undefined => page.files[file] as Exports | undefined;

/**
 * What the file exports. Null if what arrived is of another build: the device has other firmware than when the page was loaded. Throws
 * RequestError if nothing arrives; may be called again.
 */
export function load<Exports>(file: string): Promise<Exports | null> {
  let result = loading.get(file);
  if (!result) {
    result = inTurn(() => arrival(file)).finally(() => loading.delete(file));
    loading.set(file, result);
  }
  return result as Promise<Exports | null>;
}

async function arrival(file: string): Promise<unknown> {
  if (loaded(file)) return loaded(file);
  const script = document.createElement("script");
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new RequestError(0, ""));
      script.onload = () => resolve();
      script.onerror = fail;
      timer = setTimeout(fail, TIMEOUT);
      script.src = page.addresses[file] ?? "";
      document.head.append(script);
    });
  } finally {
    clearTimeout(timer);
    script.remove();
  }
  return loaded(file) ?? null;
}
