/** The set-up of the tests of a file on one native program: it is built once, and each test has one of its own. */
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { buildNative, NativeProgram, type NativeSources, type Said } from "./native-program";

export class NativeTests {
  built!: Awaited<ReturnType<typeof buildNative>>;
  program!: NativeProgram;

  constructor(what: NativeSources) {
    beforeAll(async () => {
      this.built = await buildNative(what);
    });
    beforeEach(() => {
      this.program = new NativeProgram(this.built);
    });
    afterEach(async () => {
      // AddressSanitizer and its search for leaks have the last word.
      expect(await this.program.stop()).toEqual({ status: 0, words: "" });
    });
  }

  /** Runs a scenario of the script, which may have at most `mostMessages` in XS's queue at once. */
  async run(scenario: string, options: object, mostMessages: number): Promise<Said> {
    const said = await this.program.ask({ run: scenario, ...options }, scenario, ({ run }) => run === scenario);
    expect(said["failed"]).toBeUndefined();
    expect(said["mostMessages"]).toBeLessThanOrEqual(mostMessages);
    return said;
  }
}
