import { invoke, Port } from "./link";

export default class Analog extends Port {
  readonly resolution: number;

  constructor(options: { pin: number; format?: "number" }) {
    super("analog", options);
    this.resolution = invoke(this.id, "resolution") as number;
  }

  get format(): "number" {
    return "number";
  }

  read(): number {
    return invoke(this.id, "read") as number;
  }
}
