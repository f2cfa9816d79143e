/** Groups of the Device screen, each with its state in a line, and the search over all settings of the page. */
import { createContext, type ComponentChildren, type JSX } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { pathsOf, wordOf } from "../forms";
import { FORMS, type FormName } from "../tables";
import { Fold, Input } from "../ui";
import { useAllTexts, type AllTexts } from "./all-texts";

/** What is searched for; empty: nothing. */
const Wanted = createContext("");

const bare = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^\p{L}\p{N} ]/gu, "")
    .toLowerCase();
/** Whether `text` has `wanted`, upper case, accents and hyphens aside. */
const hasWanted = (text: string, wanted: string): boolean => bare(text).includes(bare(wanted));

/** Names of the settings on these forms, and of what can be chosen there. */
const namesOf = (t: AllTexts, forms: readonly FormName[]): string[] => {
  const words = forms.flatMap((form) => pathsOf(form).map((path) => wordOf(FORMS[form], path)));
  const choices = Object.entries(t.choices).filter(([name]) => words.some((word) => name.startsWith(`${word}.`)));
  return [...new Set([...words.map((word) => t.fields[word]), ...choices.map(([, text]) => text)])];
};

interface PartProps {
  readonly title: string;
  readonly hint?: string;
  /** Its forms, by the names of whose settings a search finds it. */
  readonly forms?: readonly FormName[];
  /** In a few words, beside the title. */
  readonly state?: string | undefined;
  /** Other words by which it is found. */
  readonly words?: readonly string[];
  readonly children: ComponentChildren;
}

/** A part of a group that opens; a search hides it unless it has what is wanted, and says what that is. */
export function Part({ forms = [], words = [], title, state, ...rest }: PartProps): JSX.Element {
  const { t } = useAllTexts();
  const wanted = useContext(Wanted);
  const found = wanted ? [...namesOf(t, forms), ...words].filter((name) => hasWanted(name, wanted)) : [];
  const note = found.join(", ") || state;
  return (
    <Fold
      {...{ title, ...rest }}
      note={note && <p class="hint">{note}</p>}
      hidden={!found.length && !hasWanted(title, wanted)}
    />
  );
}

interface GroupProps {
  readonly title: string;
  /** In a few words each. */
  readonly state: readonly (string | false | undefined)[];
  /** Not shown while something is searched for. */
  readonly facts?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Group({ title, state, facts, children }: GroupProps): JSX.Element {
  const wanted = useContext(Wanted);
  const id = useId();
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="hint">{state.filter(Boolean).join(" · ")}</p>
      <div class="cards">
        {!wanted && facts}
        {children}
      </div>
    </section>
  );
}

/** Settings on other screens. */
function elsewhere(t: AllTexts, wanted: string): [screen: string, title: string, name: string][] {
  const titles = (texts: Readonly<Record<string, { readonly title: string }>>): string[] =>
    Object.values(texts).map(({ title }) => title);
  const all = [
    ["control", t.app.control, [...titles(t.commands), ...titles(t.parameters)]],
    ["relay", t.app.relay, namesOf(t, ["relay", "monitoring"])],
    ["history", t.app.history, t.device.also.history],
  ] as const;
  return all.flatMap(([screen, title, names]) =>
    [...new Set(names)]
      .filter((name) => hasWanted(name, wanted))
      .map((name): [string, string, string] => [screen, title, name]),
  );
}

/** Shows only the parts in which a setting has the text. */
export function Search({ children }: { children: ComponentChildren }): JSX.Element {
  const { t } = useAllTexts();
  const [typed, setTyped] = useState("");
  const [count, setCount] = useState(0);
  const parts = useRef<HTMLDivElement>(null);
  const wanted = typed.trim();
  const others = wanted ? elsewhere(t, wanted) : [];
  useEffect(() => setCount(parts.current?.querySelectorAll(".fold:not([hidden])").length ?? 0), [wanted, t]);
  return (
    <>
      <div role="search">
        <Input label={t.device.search} value={typed} onInput={setTyped} />
        <p role="status" class="hint">
          {wanted && t.device.found(count + others.length)}
        </p>
      </div>
      {others.length > 0 && (
        <ul class="entries">
          {others.map(([screen, title, name]) => (
            <li key={screen + name}>
              <a href={`#/${screen}`}>
                {title}: {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      <div ref={parts} class={wanted ? "groups searched" : "groups"}>
        <Wanted.Provider value={wanted}>{children}</Wanted.Provider>
      </div>
    </>
  );
}
