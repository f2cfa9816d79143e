/** The script of test/native/serial.test.ts: boards/esp32/serial on a driver and a line that do what they like. */
import Serial from "embedded:io/serial";

const line = Object.fromEntries(
  ["hear", "idle", "error", "drain", "storm", "fail", "state"].map((name) => [name, native(`wire_${name}`)]),
);
const PORT = 2;
const PINS = { port: PORT, receive: 5, transmit: 17 };
const OPTIONS = { ...PINS, baud: 115_200 };

const state = (port = PORT) => {
  const [installed, threshold, idle, mode, rts, hasDriven, overflows, sent] = line.state(port);
  return { installed, threshold, idle, mode, rts, hasDriven, overflows, sent };
};

/** Bytes on the line, then silence. */
function hear(first, count, port = PORT) {
  line.hear(port, first, count);
  line.idle(port);
}

const wait = (ms) => new Promise((resolve) => setTimer(resolve, ms));
/** Until it is so; the test's own patience is the limit. */
async function until(condition) {
  while (!condition()) await wait(1);
}
/** Long enough for a message that should not be there. */
const settle = () => wait(20);

const thrown = (call) => {
  try {
    call();
  } catch (error) {
    // XS puts the native before its words.
    return String(error).replace(/@xs_\w+: /, "");
  }
};

/** A port that reads all there is, and what it was told. */
function reader(options = {}) {
  const told = { counts: [], bytes: [] };
  const serial = new Serial({
    ...OPTIONS,
    onReadable(count) {
      told.counts.push(count);
      told.bytes.push(...new Uint8Array(this.read()));
    },
    ...options,
  });
  return { serial, told };
}

/** Whether they count up from `first`. */
const isRow = (bytes, first = 0) => bytes.every((byte, at) => byte === ((first + at) & 255));

const three = () => [0, 1, 2].map((port) => reader({ port, receive: 10 + 2 * port, transmit: 11 + 2 * port }));

const scenarios = {
  async walk() {
    const target = { here: true };
    const writable = [];
    const counts = [];
    const serial = new Serial({
      ...OPTIONS,
      target,
      onReadable(count) {
        counts.push(count, this.target === target);
      },
      onWritable: (room) => writable.push(room),
    });
    await until(() => writable.length === 1);
    hear(1, 10);
    await until(() => counts.length);
    const into = new Uint8Array(20);
    const reads = [
      serial.read(into.subarray(0, 3)),
      new Uint8Array(serial.read(2)).join(),
      thrown(() => serial.read(new Uint8Array(0))),
      thrown(() => serial.read(0)),
      thrown(() => serial.read(-1)),
      serial.read(into.subarray(3)),
      serial.read(),
      serial.read(into),
      [...into.subarray(0, 9)].join(),
    ];
    serial.format = "number";
    hear(200, 1);
    await until(() => counts.length > 2);
    reads.push(serial.read(), serial.read(), serial.format);
    serial.write(7);
    serial.format = "buffer";
    const full = [];
    serial.write(new Uint8Array(0));
    full.push(thrown(() => serial.write(new Uint8Array(128))));
    serial.write(new Uint8Array(127));
    full.push(thrown(() => serial.write(Uint8Array.of(1).buffer)));
    await settle();
    const early = writable.length;
    line.drain(PORT, 118);
    await settle();
    const almost = writable.length;
    line.drain(PORT, 1);
    await until(() => writable.length === 2);
    const { sent } = state();
    serial.close();
    serial.close();
    const closed = [
      thrown(() => serial.read()),
      thrown(() => serial.write(into)),
      thrown(() => serial.format),
      thrown(() => (serial.format = "buffer")),
    ];
    return { writable, counts, reads, full, early, almost, sent, closed, ...state() };
  },

  async refuses() {
    const held = new Serial(OPTIONS);
    const result = [
      { ...OPTIONS, receive: 12, transmit: 13 },
      { ...OPTIONS, port: 1 },
      { ...OPTIONS, port: 1, receive: 12, transmit: 13, direction: 5 },
      { port: 1, baud: 9600 },
      { ...OPTIONS, port: 3, receive: 12, transmit: 13 },
      { ...OPTIONS, port: -1, receive: 12, transmit: 13 },
      { ...OPTIONS, port: 1, receive: 99, transmit: 13 },
      { ...OPTIONS, port: 1, receive: 12, transmit: 13, baud: 0 },
      { ...OPTIONS, port: 1, receive: 12, transmit: 13, baud: 20_000_001 },
      { ...OPTIONS, port: 1, receive: 12, transmit: 13, format: "string" },
      { ...OPTIONS, port: 1, receive: 12, transmit: 13, onReadable: 5 },
    ].map((options) => thrown(() => new Serial(options)));
    result.push(thrown(() => (held.format = "string")));
    held.close();
    new Serial(OPTIONS).close();
    return { result, ...state(1) };
  },

  async fails({ where, allocation }) {
    if (where) line.fail(where);
    if (allocation !== undefined) failAllocations(allocation);
    const error = thrown(() => reader({ direction: 4 }));
    failAllocations(-1);
    const after = state();
    const { serial, told } = reader({ direction: 4 });
    hear(0, 50);
    await until(() => told.counts.length);
    serial.close();
    return { error, installed: after.installed, counts: told.counts };
  },

  async thresholds({ bauds }) {
    return {
      result: bauds.map((baud) => {
        const serial = new Serial({ ...OPTIONS, baud });
        const { threshold, idle } = state();
        serial.close();
        return [baud, threshold, idle];
      }),
    };
  },

  /** The script is busy until this function returns control. */
  async busy({ count }) {
    const { serial, told } = reader();
    line.hear(PORT, 0, count);
    line.idle(PORT);
    await until(() => told.counts.length);
    await settle();
    // What the interrupt left in the FIFO when it was disabled comes with the next bytes.
    hear(count, 1);
    await until(() => told.bytes.at(-1) === (count & 255));
    const { overflows } = state();
    const { length } = told.bytes;
    const kept = told.bytes.slice(0, Math.min(length, 1_000));
    // It goes on.
    hear(0, 100);
    await until(() => told.bytes.length === length + 100);
    serial.close();
    return { first: told.counts[0], length, overflows, isRow: isRow(kept) };
  },

  async partly() {
    const counts = [];
    const into = new Uint8Array(40);
    const serial = new Serial({
      ...OPTIONS,
      onReadable(count) {
        counts.push(count);
        this.read(into);
      },
    });
    hear(0, 90);
    await until(() => counts.length === 3);
    serial.close();
    let lazy = 0;
    const other = new Serial({ ...OPTIONS, onReadable: () => lazy++ });
    hear(0, 90);
    await until(() => lazy);
    await settle();
    const once = lazy;
    hear(0, 10);
    await until(() => lazy === 2);
    other.close();
    return { counts, once };
  },

  async fullQueue({ posts }) {
    const { serial, told } = reader();
    failPosts(posts);
    hear(0, 10);
    await until(() => told.counts.length);
    hear(10, 10);
    await until(() => told.counts.length === 2);
    serial.close();
    return { left: failPosts(0), counts: told.counts, isRow: isRow(told.bytes) };
  },

  async closes() {
    let calls = 0;
    const inside = new Serial({
      ...OPTIONS,
      onReadable() {
        calls++;
        this.close();
      },
      onWritable() {
        calls += 100;
      },
    });
    hear(0, 10);
    await until(() => calls);
    await settle();
    const first = calls;
    // A message is on its way, for a port that is another by then.
    const gone = reader();
    hear(0, 10);
    gone.serial.close();
    const { serial, told } = reader();
    await settle();
    const early = told.counts.length;
    hear(0, 20);
    await until(() => told.counts.length);
    // Opened again inside its own callback.
    let again;
    serial.close();
    const outer = new Serial({
      ...OPTIONS,
      onReadable() {
        this.close();
        again = reader();
        hear(0, 30);
      },
    });
    hear(0, 5);
    await until(() => again?.told.counts.length);
    again.serial.close();
    return {
      first,
      gone: gone.told.counts,
      early,
      counts: told.counts,
      again: again.told.counts,
      isClosed: !!thrown(() => inside.read()) && !!thrown(() => outer.read()),
    };
  },

  async direction() {
    const plain = reader();
    plain.serial.write(Uint8Array.of(1, 2, 3));
    line.drain(PORT, 3, true);
    line.idle(PORT);
    await until(() => plain.told.counts.length);
    const without = { ...state(), heard: plain.told.bytes };
    plain.serial.close();
    const { serial, told } = reader({ direction: 4 });
    const inUse = thrown(() => new Serial({ ...OPTIONS, port: 1, receive: 12, transmit: 4 }));
    serial.write(Uint8Array.of(1, 2, 3));
    line.drain(PORT, 3, true);
    line.idle(PORT);
    hear(50, 2);
    await until(() => told.counts.length);
    const withIt = { ...state(), heard: told.bytes };
    serial.close();
    new Serial({ ...OPTIONS, port: 1, receive: 12, transmit: 4 }).close();
    return { without, withIt, inUse };
  },

  async errors() {
    const { serial, told } = reader();
    for (let count = 0; count < 100; count++) line.error(PORT);
    await settle();
    const calls = told.counts.length;
    hear(0, 10);
    await until(() => told.counts.length);
    serial.close();
    return { calls, counts: told.counts };
  },

  async storm({ count }) {
    const { serial, told } = reader();
    line.storm(PORT, count);
    await until(() => told.bytes.length >= count);
    const { overflows } = state();
    serial.close();
    return { length: told.bytes.length, overflows, isRow: isRow(told.bytes) };
  },

  async closeInStorm({ times }) {
    line.storm(PORT, 100_000);
    for (let time = 0; time < times; time++) {
      const { serial } = reader();
      if (time % 3) await wait(time % 5);
      serial.close();
    }
    const { serial, told } = reader();
    hear(0, 10);
    await until(() => told.counts.length);
    serial.close();
    return { works: true };
  },

  async several() {
    const ports = three();
    for (let port = 0; port < 3; port++) hear(port, 10 + port, port);
    await until(() => ports.every(({ told }) => told.counts.length));
    for (const { serial } of ports) serial.close();
    return {
      counts: ports.map(({ told }) => told.counts),
      isRow: ports.every(({ told }, port) => isRow(told.bytes, port)),
    };
  },

  /** XS's queue is full of others' messages, and the script takes none out. */
  async heldQueue() {
    const ports = three();
    holdMessages(true);
    fillQueue(0);
    for (let port = 0; port < 3; port++) hear(port, 100 + port, port);
    await settle();
    ports[1].serial.close();
    const before = ports.reduce((sum, { told }) => sum + told.counts.length, 0);
    holdMessages(false);
    await until(() => ports[0].told.counts.length && ports[2].told.counts.length);
    const again = reader({ port: 1, receive: 12, transmit: 13 });
    hear(0, 10, 1);
    await until(() => again.told.counts.length);
    for (const { serial } of [...ports, again]) serial.close();
    return {
      before,
      counts: ports.map(({ told }) => told.counts),
      isRow: ports.every(({ told }, port) => isRow(told.bytes, port)),
      again: again.told.counts,
    };
  },

  /** Ports that nobody has closed are collected at the end: the sanitizer looks. */
  async leftOpen() {
    reader();
    new Serial({ ...OPTIONS, port: 1, receive: 12, transmit: 13, onWritable: () => undefined });
    collect();
    hear(0, 10);
    await settle();
    return {};
  },
};

onLine((text) => {
  const { run, ...options } = JSON.parse(text);
  scenarios[run](options).then(
    (result) => say(JSON.stringify({ run, ...result, mostMessages: mostMessages() })),
    (error) => say(JSON.stringify({ run, failed: String(error) })),
  );
});
