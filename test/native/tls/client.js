/** The script of test/native/tls.test.ts: opens a TLS socket when it is told to, and tells what becomes of it. */
import Timer from "timer";
import TCP from "../harness/posix-tcp";
import TlsSocket from "tls-socket/tls-socket";

const LONG = 2_000;

const tell = (what) => say(JSON.stringify(what));
const bytesOf = (text) => Uint8Array.from(text, (one) => one.charCodeAt(0));
let socket;
let received = "";

function open({ port, host, ca, date, room, send }) {
  received = "";
  let isOpen = false;
  socket = new TlsSocket({
    TCP: { io: TCP },
    address: "127.0.0.1",
    port,
    host,
    ...(room && { room }),
    secure: { certificate: Uint8Array.from(ca).buffer, date },
    onReadable(count) {
      const view = new Uint8Array(1_000);
      let all = 0;
      for (let part; (part = socket?.read(view)) !== undefined; all += part)
        received += String.fromCharCode(...view.subarray(0, part));
      tell({ count, all, received: received.length < LONG ? received : received.length });
    },
    onWritable(count) {
      if (isOpen) return tell({ writable: count });
      isOpen = true;
      tell({ open: true, room: count, longest: Timer.longest });
      if (send) socket?.write(bytesOf(send));
    },
    onError(reason) {
      socket = undefined;
      tell({ error: reason ?? null });
    },
  });
}

Timer.onRefused = () => tell({ refused: true });

onLine((line) => {
  const order = JSON.parse(line);
  try {
    if (order.open) open(order.open);
    if (order.write !== undefined) tell({ room: socket.write(bytesOf(order.write)) });
    if (order.writeBytes !== undefined) tell({ room: socket.write(new Uint8Array(order.writeBytes).fill(0x61)) });
    if (order.refuseTimers) Timer.refusals = order.refuseTimers;
    if (order.close) {
      socket?.close();
      socket = undefined;
      tell({ closed: true });
    }
  } catch (error) {
    tell({ thrown: String(error) });
  }
});
tell({ ready: true });
