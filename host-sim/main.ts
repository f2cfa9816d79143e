import { parts } from "./firmware";
import { start } from "./run";

await start(parts);
