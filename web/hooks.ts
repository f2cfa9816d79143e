import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { GroupValues } from "./documents";
import type { Language } from "./format";
import { live, type DocumentName } from "./live";
import { reasonOf } from "./messages";
import { preferences } from "./preferences";
import { request } from "./request";
import { RequestError } from "./request-error";
import type { GroupName } from "./tables";
import type { Texts } from "./texts/en";

function useChanges(source: { subscribe(callback: () => void): () => void }): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => source.subscribe(() => redraw(undefined)), [source]);
}

/** Texts and language; redraws when the language changes. */
export function useTexts(): { t: Texts; language: Language } {
  useChanges(preferences);
  return { t: preferences.texts, language: preferences.language };
}

/** The live documents; keeps `names` fresh while the component is mounted. */
export function useLive(...names: DocumentName[]): typeof live {
  useChanges(live);
  const key = names.join();
  useEffect(() => live.want(names), [key]);
  return live;
}

/** Redraws every `ms`. */
export function useClock(ms: number): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => redraw(undefined), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

/** Calls `reload` every `ms` while the page is looked at. */
export function useRefresh(reload: () => unknown, ms: number): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

/** Whether the window is as the media query says. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const change = (): void => setMatches(list.matches);
    list.addEventListener("change", change);
    return () => list.removeEventListener("change", change);
  }, [query]);
  return matches;
}

export interface Task {
  readonly busy: boolean;
  /** Outcome of the last run; empty before it, and while one starts. */
  readonly message: string;
  readonly failed: boolean;
  /** Runs `work`, whose result becomes the message. Does nothing while another run is under way. */
  run(work: () => Promise<string>): Promise<boolean>;
  /** Shows how `work` ends, unless something has been run or the message cleared since. Other runs do not wait for it. */
  follow(work: () => Promise<string>): Promise<void>;
  /** Sets a progress message during a run. */
  say(message: string): void;
  /** Clears the message. A run under way goes on. */
  clear(): void;
}

/** Runs one task at a time and keeps its outcome. */
export function useTask(): Task {
  const { t } = useTexts();
  const [state, setState] = useState({ busy: false, message: "", failed: false });
  const busy = useRef(false);
  /** Changes when the message is no longer about what was begun before. */
  const subject = useRef(0);
  /** What had the focus when the run began. */
  const focused = useRef<Element | null>(null);
  // A button that is disabled during the run loses the focus: keyboard users would have to start at the top again.
  useEffect(() => {
    if (state.busy) return;
    const { activeElement, body } = document;
    if (activeElement === body && focused.current instanceof HTMLElement)
      focused.current.focus({ preventScroll: true });
    focused.current = null;
  }, [state.busy]);
  const endOf = async (work: () => Promise<string>): Promise<typeof state> => {
    try {
      return { busy: false, message: await work(), failed: false };
    } catch (error) {
      const reason = reasonOf(error, t);
      const message = reason === t.common.unreachable ? t.common.unanswered : t.common.failed(reason);
      return { busy: false, message, failed: true };
    }
  };
  return {
    ...state,
    run: async (work) => {
      if (busy.current) return false;
      busy.current = true;
      subject.current++;
      focused.current = document.activeElement;
      setState({ busy: true, message: "", failed: false });
      const end = await endOf(work);
      busy.current = false;
      setState(end);
      return !end.failed;
    },
    follow: async (work) => {
      const followed = subject.current;
      const end = await endOf(work);
      if (subject.current === followed) setState(end);
    },
    say: (message) => setState({ busy: true, message, failed: false }),
    clear: () => {
      subject.current++;
      setState({ busy: busy.current, message: "", failed: false });
    },
  };
}

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: string;
  readonly reload: () => Promise<void>;
}

/** ms before what the device did not answer, or refused, is fetched again. */
const RETRY = 3_000;
const REFUSED_RETRY = 30_000;

/** Fetches once, again on `reload`, and after a failure until it succeeds. */
export function useLoad<T>(load: () => Promise<T>): Loaded<T> {
  const { t } = useTexts();
  const [state, setState] = useState<{ value: T | undefined; error: string; again: number }>({
    ...{ value: undefined, error: "", again: 0 },
  });
  const there = useRef(true);
  const reload = async (): Promise<void> => {
    try {
      const value = await load();
      if (there.current) setState({ value, error: "", again: 0 });
    } catch (error) {
      const again = error instanceof RequestError && error.status ? REFUSED_RETRY : RETRY;
      if (there.current) setState(({ value }) => ({ value, error: reasonOf(error, t), again }));
    }
  };
  useEffect(() => {
    const timer = state.again && setTimeout(() => void reload(), state.again);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    void reload();
    return () => {
      there.current = false;
    };
  }, []);
  return { value: state.value, error: state.error, reload };
}

/** A settings group, refetched when any setting has changed. */
export function useGroup(group: GroupName): Loaded<GroupValues> {
  const loaded = useLoad(() => request<GroupValues>("GET", `/web/group/${group}`));
  const { settings } = useLive();
  const fetched = useRef(settings);
  useEffect(() => {
    if (fetched.current === settings) return;
    fetched.current = settings;
    void loaded.reload();
  }, [settings]);
  return loaded;
}
