import { ANSWER_HEADER, BOARD, NOTHING, OPERATION } from "../protocol";
import { bytesOf, call, valueOf } from "./link";

const ask = (path: string): ArrayBuffer => call(OPERATION.resource, BOARD, 0, bytesOf(path));

const Resource = Object.assign(
  function (path: string): ArrayBuffer {
    const answer = ask(path);
    if (valueOf(answer) === NOTHING) throw new URIError(`Resource not found: ${path}`);
    return answer.slice(ANSWER_HEADER);
  } as unknown as new (path: string) => ArrayBuffer,
  { exists: (path: string): boolean => valueOf(ask(path)) !== NOTHING },
);
export default Resource;
