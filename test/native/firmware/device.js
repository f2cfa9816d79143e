/** What worker.c's script finds beside what the harness gives it: the globals of the simulator's XS worker. */
globalThis.issueCommand = native("xs_worker_issueCommand");
globalThis.resetMeter = () => 0;

globalThis.TextEncoder = class {};
TextEncoder.prototype.encode = native("xs_textencoder_encode");
TextEncoder.prototype.encodeInto = native("xs_textencoder_encodeInto");

globalThis.TextDecoder = native("xs_worker_textDecoder")();
TextDecoder.prototype.decode = native("xs_textdecoder_decode");

/** XS has these; the worker's engine, whose texts are CESU-8, is built without them. */
const encoder = new TextEncoder();
const decoder = new TextDecoder();
ArrayBuffer.fromString = (text) => encoder.encode(text).buffer;
String.fromArrayBuffer = (bytes) => decoder.decode(new Uint8Array(bytes));
