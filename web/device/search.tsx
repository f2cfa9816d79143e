/** The search for packs on the bus: in the form of the packs, and on the battery screen while none has ever answered. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { number } from "../format";
import { useGroup, useTask } from "../hooks";
import { live } from "../live";
import { messageText } from "../messages";
import { persist } from "../persist";
import { request } from "../request";
import { Button, Message } from "../ui";
import { useAllTexts } from "./all-texts";

/** `data` of /web/packs/search. */
interface SearchState {
  readonly searching: boolean;
  /** Until the line is silent. */
  readonly waiting: boolean;
  /** That is searched, or was last. */
  readonly baud: number;
  readonly searched: number;
  /** SearchProblem, or empty. */
  readonly problem: string;
  readonly found: readonly {
    readonly address: number;
    readonly baud: number;
    readonly model: string | null;
    readonly serialNumber: string | null;
    readonly cells: number | null;
    readonly configured: boolean;
  }[];
  /** Addresses that are not configured, and answer another master. */
  readonly heard: readonly number[];
}

const SEARCH = "/web/packs/search";
/** ms between two looks while a search is under way. */
const LOOK = 1_000;

interface Props {
  /** Addresses that are in the form. */
  readonly listed?: readonly unknown[];
  /** Adds a pack to the form. Without it, and at another baud rate than the bus's, a pack is taken for the first and only one that is meant. */
  readonly onAdd?: (address: number) => void;
}

/** Each pack that the bus has is added, or used, with a tap. */
export function Search({ listed = [], onAdd }: Props): JSX.Element {
  const { t, language } = useAllTexts();
  const words = t.device;
  const [state, setState] = useState<SearchState>();
  const { value: bus } = useGroup("bms");
  const task = useTask();
  const rate = (baud: number): string => words.baud(number(language, baud));
  const look = async (method: string, body?: object): Promise<SearchState> => {
    const now = await request<SearchState>(method, SEARCH, body);
    setState(now);
    return now;
  };
  useEffect(() => void persist(() => look("GET")).catch(() => undefined), []);
  const find = async (): Promise<string> => {
    let now = await look("POST", {});
    while (now.searching) {
      const { baud, waiting, searched } = now;
      task.say(`${rate(baud)}: ${waiting ? words.silence : words.searching(String(searched))}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK));
      now = await persist(() => look("GET"));
    }
    const { baud, problem, found } = now;
    if (problem)
      throw new Error(
        `${rate(baud)}: ${problem === "bus-noise" ? words.noise : (messageText(problem, t) ?? words.interrupted)}`,
      );
    return found.length ? "" : words.noneFound;
  };
  const use = async (baud: number, address: number): Promise<string> => {
    await request("POST", "/web/group/bms", { baud, address });
    void live.load("status");
    return t.common.saved;
  };
  const rows = [
    ...(state?.found ?? []).map(({ address, baud, model, cells, serialNumber, configured }) => ({
      ...{ address, baud, configured },
      isElsewhere: bus ? baud !== bus["baud"] : false,
      text: [model, cells && `${cells}S`, serialNumber].filter(Boolean).join(" · "),
    })),
    ...(state?.heard ?? []).map((address) => ({
      ...{ address, baud: 0, configured: false, isElsewhere: false },
      text: words.heard,
    })),
  ];
  return (
    <>
      <div class="actions">
        <Button disabled={task.busy} onClick={() => void task.run(find)}>
          {words.findPacks}
        </Button>
        <Message task={task} />
      </div>
      <ul class="entries">
        {rows.map(({ address, baud, configured, isElsewhere, text }) => {
          const isAdded = onAdd && !isElsewhere;
          const label = isAdded ? words.add : words.use;
          return (
            <li key={`${baud} ${address}`}>
              <span>
                {words.at(String(address))}
                {isElsewhere && `, ${rate(baud)}`}: {text}
              </span>
              <Button
                label={`${label}: ${words.at(String(address))}`}
                disabled={configured || task.busy || (isAdded ? listed.includes(address) : false)}
                onClick={() => (isAdded ? onAdd(address) : void task.run(() => use(baud, address)))}
              >
                {label}
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
