import { SimulatedBoard } from "../board";

function load(path: string): Uint8Array {
  const bytes = SimulatedBoard.current.resource(path);
  // As the SDK's.
  if (!bytes) throw new URIError(`Resource not found: ${path}`);
  return bytes;
}

/** On the device a buffer in flash; here one with the same bytes. Not a class of its own: a view of it must be a view of its bytes. */
const Resource = Object.assign(
  function (path: string): ArrayBuffer {
    return Uint8Array.from(load(path)).buffer;
  } as unknown as new (path: string) => ArrayBuffer,
  { exists: (path: string): boolean => SimulatedBoard.current.resource(path) !== undefined },
);
export default Resource;
