import type { Server } from "node:http";

/** A server of the files in `folder`, below `path`, which begins and ends with a slash. */
export function serveFolder(folder: string, path?: string): Server;
