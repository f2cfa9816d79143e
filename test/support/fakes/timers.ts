import { vi } from "vitest";
import Timer from "../../../host-sim/io/timer";

type Handle = ReturnType<typeof Timer.set>;

/** Tracks timers set from now on that are still pending. Undo with `vi.restoreAllMocks()`. */
export function watchTimers(): ReadonlySet<Handle> {
  const live = new Set<Handle>();
  const set = Timer.set.bind(Timer);
  const clear = Timer.clear.bind(Timer);
  vi.spyOn(Timer, "set").mockImplementation((callback, delay, repeat) => {
    const called = (timer: Handle): void => {
      if (!repeat) live.delete(timer);
      callback(timer);
    };
    const handle = set(called, delay, repeat);
    live.add(handle);
    return handle;
  });
  vi.spyOn(Timer, "clear").mockImplementation((handle) => {
    if (handle) live.delete(handle);
    clear(handle);
  });
  return live;
}
