import type Ambient from "embedded:io/digital";
import type { DigitalOptions } from "../../io/options";
import { invoke, Port } from "./link";

export default class Digital extends Port implements Ambient {
  static readonly Input = 0;
  static readonly InputPullUp = 1;
  static readonly InputPullDown = 2;
  static readonly InputPullUpDown = 3;
  static readonly Output = 8;
  static readonly OutputOpenDrain = 9;
  static readonly Rising = 1;
  static readonly Falling = 2;

  constructor(options: DigitalOptions) {
    super("digital", options);
  }

  read(): 0 | 1 {
    return invoke(this.id, "read") as 0 | 1;
  }

  write(value: 0 | 1): void {
    invoke(this.id, "write", value);
  }
}
