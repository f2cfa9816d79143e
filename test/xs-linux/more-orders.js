import { flashStatus, flashSteps, forgetAll, probesOf, recordFine } from "firmware";
import { chunks } from "native";
import { disturb } from "nvs";
import Timer from "timer";

const made = Symbol("probes");

/** Once the order has been answered. */
const later = (work) => void Timer.set(work);

/** The firmware's probes: made, and taking memory, once the first is asked. */
const probesIn = (firmware) => (firmware[made] ??= probesOf(firmware));

/** The engine's stack has the iterator of `arguments`, which the firmware does without (scripts/shrink/refused.mjs). */
function spread() {
  return [...arguments];
}

export const MORE_ORDERS = Object.freeze(
  {
    probe: ({ name, parameters }, firmware) => probesIn(firmware)[name](...parameters),
    /** The script never comes back. */
    hang: () => {
      for (;;);
    },
    /** An exception that nothing catches, once this has been answered. */
    crash: () => {
      Timer.set(() => {
        throw new Error("crash");
      });
    },
    "exhaust slots": () =>
      later(() => {
        const all = [];
        for (;;) all.push({ all });
      }),
    "exhaust chunks": () =>
      later(() => {
        const all = [];
        for (;;) all.push(new Uint8Array(1_000));
      }),
    /** No room for as much as a short text: `room` is all the bytes that there are. */
    "exhaust every chunk": ({ room }) =>
      later(() => {
        let all;
        while (chunks() < room - 4_000) all = { all, bytes: new ArrayBuffer(1_000) };
        for (;;) all = { all, bytes: new ArrayBuffer(1) };
      }),
    recurse: () =>
      later(function again() {
        return again() + 1;
      }),
    reject: () => later(() => void Promise.reject(new Error("rejected"))),
    "throw a string": () =>
      later(() => {
        throw "no error";
      }),
    /** Entries of NVS that something else has taken; and what fails: 0 nothing, 1 writes, 2 commits. */
    nvs: ({ reserved = 0, failing = 0 }) => disturb(reserved, failing),
    "flash status": () => flashStatus(),
    flash: ({ steps }) => flashSteps(steps),
    record: ({ count }) => recordFine(count),
    forget: () => forgetAll(),
    erase: (_, firmware) => firmware.factoryReset(),
    spread: ({ of }) => spread(...of),
    probes: (_, firmware) => Object.keys(probesIn(firmware)),
  },
  true,
);
