import { SimulatedBoard } from "../board";

function load(path: string): Uint8Array {
  const bytes = SimulatedBoard.current.resource(path);
  // As in the SDK.
  if (!bytes) throw new URIError(`Resource not found: ${path}`);
  return bytes;
}

/**
 * A buffer in flash on the device; here a copy of its bytes. Not a subclass, because a view of it must be a plain view
 * of its bytes.
 */
const Resource = Object.assign(
  function (path: string): ArrayBuffer {
    return Uint8Array.from(load(path)).buffer;
  } as unknown as new (path: string) => ArrayBuffer,
  { exists: (path: string): boolean => SimulatedBoard.current.resource(path) !== undefined },
);
export default Resource;
