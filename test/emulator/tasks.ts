/** The tasks of the running FreeRTOS and what of their stacks was never used, read from the chip's memory, as the kernel of ESP-IDF lays it out. */
import { addressOf } from "./symbols";

/** A list: the count, the cursor, and the end, an item whose second word is the first task's. */
const LIST_BYTES = 20;
const FIRST_AT = 12;
const END_AT = 8;
/** An item of a list: the next one, and its task. */
const NEXT_AT = 4;
const OWNER_AT = 12;
/** Of a task's control block, behind the top of its stack, two items of lists and its priority. */
const STACK_AT = 48;
const NAME_AT = 52;
const NAME_BYTES = 16;
const STACK_END_AT = 68;
/** What a stack is filled with. */
const UNUSED = 0xa5;
/** As many lists of tasks that are ready. */
const PRIORITIES = 25;

export interface Task {
  readonly name: string;
  /** Bytes of its stack. */
  readonly stack: number;
  /** Of these never used. */
  readonly unused: number;
}

/** @param memory the chip's, from `base` on @param symbols objdump's list. */
export function tasksIn(memory: Buffer, base: number, symbols: string): Task[] {
  const word = (address: number): number => memory.readUInt32LE(address - base);
  const lists = ["xDelayedTaskList1", "xDelayedTaskList2", "xPendingReadyList", "xSuspendedTaskList"].map((name) =>
    addressOf(name, symbols),
  );
  const ready = addressOf("pxReadyTasksLists", symbols);
  for (let priority = 0; priority < PRIORITIES; priority++) lists.push(ready + priority * LIST_BYTES);
  const tasks: Task[] = [];
  for (const list of lists)
    for (let item = word(list + FIRST_AT); item !== list + END_AT; item = word(item + NEXT_AT)) {
      const control = word(item + OWNER_AT) - base;
      const name = memory.toString("latin1", control + NAME_AT, control + NAME_AT + NAME_BYTES).split("\0")[0]!;
      const start = memory.readUInt32LE(control + STACK_AT) - base;
      const end = memory.readUInt32LE(control + STACK_END_AT) - base;
      const used = memory.subarray(start, end).findIndex((byte) => byte !== UNUSED);
      tasks.push({ name, stack: end - start, unused: used });
    }
  return tasks.sort((one, other) => one.name.localeCompare(other.name));
}
