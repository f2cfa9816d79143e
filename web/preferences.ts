/** Language and colour theme, stored only in this browser. */
import type { Language } from "./format";
import { en, type Texts } from "./texts/en";
import { pt } from "./texts/pt";

export type Theme = "light" | "dark";

const TEXTS: Readonly<Record<Language, Texts>> = { en, pt };

/** Storage may be disabled in the browser. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The choice lasts until the page is closed.
  }
}

class Preferences {
  language: Language;
  theme: Theme;
  readonly #subscribers = new Set<() => void>();

  constructor() {
    const language = kept("language");
    if (language === "en" || language === "pt") this.language = language;
    else this.language = navigator.language.toLowerCase().startsWith("pt") ? "pt" : "en";
    const theme = kept("theme");
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.theme = theme === "light" || theme === "dark" ? theme : dark.matches ? "dark" : "light";
    dark.addEventListener("change", ({ matches }) => {
      if (kept("theme")) return;
      this.theme = matches ? "dark" : "light";
      this.#apply();
    });
    this.#apply();
  }

  get texts(): Texts {
    return TEXTS[this.language];
  }

  toggleLanguage(): void {
    this.language = this.language === "en" ? "pt" : "en";
    keep("language", this.language);
    this.#apply();
  }

  toggleTheme(): void {
    this.theme = this.theme === "light" ? "dark" : "light";
    keep("theme", this.theme);
    this.#apply();
  }

  subscribe(callback: () => void): () => void {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  }

  #apply(): void {
    document.documentElement.lang = this.language;
    document.documentElement.dataset["theme"] = this.theme;
    for (const callback of [...this.#subscribers]) callback();
  }
}

export const preferences = new Preferences();
