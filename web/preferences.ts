/** Language and colour theme, stored only in this browser. */
import type { Language } from "./format";
import { load } from "./load";
import { named, namesOf } from "./named";
import type { Texts } from "./texts/en";

export type Theme = "light" | "dark";

/** ms between attempts to load a language. */
const RETRY = 2_000;
/** Attempts before the other language stands in. */
const ATTEMPTS = 2;
/** ms between attempts while the other language stands in. */
const RETRY_LATER = 15_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const otherThan = (language: Language): Language => (language === "en" ? "pt" : "en");

/** Kept across reloads while the set-up wizard has not been finished. */
export const WIZARD_KEY = "wizard";
/** The number for the button at the first start, which a reload shows again. */
export const NUMBER_KEY = "number";

/** The secret of a read-only link by which this browser is let in. */
export const LINK_KEY = "link";

/** The device's zone and the browser's, where they may differ. */
export const ZONE_KEY = "zone";

/** The write that this tab has sent and whose outcome it awaits: the pack's address, empty for the first, and the name. */
export const OWN_WRITE_KEY = "write";

/** Storage may be disabled in the browser. */
function read(from: () => Storage, key: string): string | null {
  try {
    return from().getItem(key);
  } catch {
    return null;
  }
}

function store(into: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) into().removeItem(key);
    else into().setItem(key, value);
  } catch {
    // It lasts until the page is closed.
  }
}

const local = (): Storage => localStorage;
const ofTab = (): Storage => sessionStorage;

export const kept = (key: string): string | null => read(local, key);
export const keep = (key: string, value: string | null): void => store(local, key, value);
export const keptForTab = (key: string): string | null => read(ofTab, key);
export const keepForTab = (key: string, value: string | null): void => store(ofTab, key, value);

class Preferences {
  /** The language shown: the wanted one unless that could not be loaded. */
  language: Language;
  theme: Theme;
  private wanted: Language;
  private loaded: Texts | undefined;
  private readonly subscribers = new Set<() => void>();

  constructor() {
    const language = kept("language");
    if (language === "en" || language === "pt") this.wanted = language;
    else this.wanted = navigator.language.toLowerCase().startsWith("pt") ? "pt" : "en";
    this.language = this.wanted;
    const theme = kept("theme");
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.theme = theme === "light" || theme === "dark" ? theme : dark.matches ? "dark" : "light";
    dark.addEventListener("change", ({ matches }) => {
      if (kept("theme")) return;
      this.theme = matches ? "dark" : "light";
      this.apply();
    });
    this.apply();
  }

  /** Nothing may be drawn before `begin` has ended. */
  get texts(): Texts {
    if (!this.loaded) throw new Error("no language loaded");
    return this.loaded;
  }

  /** Loads the language, or else the other one. Calls `missing` at each failure; ends when there is one. */
  async begin(missing: () => void): Promise<void> {
    const wanted = this.wanted;
    for (let attempt = 1; !this.loaded; attempt++) {
      const language = attempt % (ATTEMPTS + 1) ? wanted : otherThan(wanted);
      try {
        await this.use(language);
      } catch {
        missing();
        await pause(RETRY);
      }
    }
    if (this.language !== wanted) void this.goOn(wanted);
  }

  /** Until the wanted language arrives, or the reader chooses one. */
  private async goOn(wanted: Language): Promise<void> {
    while (this.language !== this.wanted && this.wanted === wanted) {
      await pause(RETRY_LATER);
      if (this.wanted === wanted) await this.use(wanted).catch(() => {});
    }
  }

  private async use(language: Language): Promise<void> {
    const file = await load<Readonly<Record<Language, readonly unknown[]>>>(language);
    // Of another build: only the whole page helps.
    if (!file) {
      location.reload();
      throw new Error("other build");
    }
    this.language = language;
    this.loaded = named(namesOf(page.names), file[language]) as Texts;
    this.apply();
  }

  /** Throws if the other language could not be loaded: the present one stays. */
  async toggleLanguage(): Promise<void> {
    const language = otherThan(this.language);
    this.wanted = language;
    try {
      await this.use(language);
      keep("language", language);
    } catch (error) {
      this.wanted = this.language;
      throw error;
    }
  }

  toggleTheme(): void {
    this.theme = this.theme === "light" ? "dark" : "light";
    keep("theme", this.theme);
    this.apply();
  }

  subscribe(callback: () => void): () => void {
    this.subscribers.add(callback);
    return () => this.subscribers.delete(callback);
  }

  private apply(): void {
    document.documentElement.lang = this.language;
    document.documentElement.dataset["theme"] = this.theme;
    for (const callback of [...this.subscribers]) callback();
  }
}

export const preferences = new Preferences();
