import type { SimulatedBoard } from "../board";
import { bundleForXs } from "./bundle";
import { XsMachine } from "./machine";

export interface FirmwareOnXs {
  readonly settings: { readonly api: { readonly token: string }; readonly web: { readonly password: string } };
  close(): void;
}

/** Bundles the product and runs its main on XS, on a powered board. */
export async function runOnXs(board: SimulatedBoard): Promise<FirmwareOnXs> {
  const machine = new XsMachine(board, await bundleForXs());
  machine.boot();
  return {
    settings: {
      api: { token: machine.ask("token") as string },
      web: { password: machine.ask("password") as string },
    },
    close: () => void machine.ask("close"),
  };
}
