import { BOARD } from "../protocol";
import { invoke, Port } from "./link";

type Done = (name: string, address?: string) => void;

class Question extends Port {
  constructor(name: string, done: Done) {
    const options: object = {
      name,
      onResolved: () => {
        const address = invoke(this.id, "found") as string | undefined;
        this.close();
        done(name, address);
      },
    };
    super("name", options);
  }
}

const Net = {
  get: (what: string, mode?: string): unknown => invoke(BOARD, "net", what, mode),
  resolve: (name: string, done: Done): void => void new Question(name, done),
};
export default Net;
